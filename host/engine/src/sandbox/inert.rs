//! Sockets and file system: linked, because default builds of many languages import them, and denied.
//!
//! Nothing here knows these interfaces: each function is linked from the type that the component gives
//! it, and answers access-denied in whatever way that type allows.

use std::collections::BTreeMap;

use wasmtime::component::types::{ComponentFunc, ComponentItem, Type};
use wasmtime::component::{Component, ResourceAny, ResourceDynamic, ResourceType, Val};
use wasmtime::{Result, StoreContextMut};

use super::{Linker, State, Stop, charge};

/// What an inert function can say.
#[derive(Debug, Clone)]
enum Answer {
    /// There is nothing to return.
    Nothing,
    /// `err(access-denied)`, or `err` where the error has no type.
    Denied(Option<Val>),
    /// There are none.
    EmptyList,
    /// There is none.
    Absent,
    /// A handle on which every call is denied.
    Handle(u32),
    /// The type has no way to say no: the trial ends.
    Trap,
}

/// Names for "no" in the error enums of WASI 0.2, best first.
const DENIALS: [&str; 3] = ["access-denied", "access", "not-permitted"];

/// Links every inert import of this component, and returns the functions' names, by number.
pub(crate) fn link(linker: &mut Linker, component: &Component) -> Result<Vec<String>> {
    let engine = component.engine().clone();
    let world = component.component_type();
    let mut names = Vec::new();
    // A type that an earlier interface defined is only mentioned again by a later one.
    let mut known: Vec<(ResourceType, Option<u32>)> = Vec::new();
    for (interface, item) in world.imports(&engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else { continue };
        let inert = is_inert(interface);
        for (name, item) in instance.exports(&engine) {
            match item.ty {
                ComponentItem::Resource(ty) if known.iter().all(|(seen, _)| *seen != ty) => {
                    let id = u32::try_from(known.len())?;
                    known.push((ty, inert.then_some(id)));
                    if inert {
                        let ty = ResourceType::host_dynamic(id);
                        linker.instance(interface)?.resource(name, ty, |_, _| Ok(()))?;
                    }
                }
                ComponentItem::ComponentFunc(function) if inert => {
                    let answer = answer(&function, &known);
                    let full =
                        format!("{}.{name}", interface.split('@').next().unwrap_or(interface));
                    define(linker, interface, name, names.len(), &full, answer)?;
                    names.push(full);
                }
                _ => {}
            }
        }
    }
    Ok(names)
}

/// Calls of each inert function, those never called left out.
pub(crate) fn calls(names: &[String], state: &State) -> BTreeMap<String, u64> {
    let called = names.iter().zip(&state.inert).filter(|(_, count)| **count > 0);
    // Two versions of one interface add up.
    let mut calls = BTreeMap::new();
    for (name, count) in called {
        *calls.entry(name.clone()).or_default() += count;
    }
    calls
}

fn is_inert(interface: &str) -> bool {
    interface.starts_with("wasi:sockets/") || interface.starts_with("wasi:filesystem/")
}

fn answer(function: &ComponentFunc, known: &[(ResourceType, Option<u32>)]) -> Answer {
    match function.results().next() {
        None => Answer::Nothing,
        Some(Type::Result(result)) => match result.err() {
            None => Answer::Denied(None),
            Some(error) => denial(&error).map_or(Answer::Trap, |no| Answer::Denied(Some(no))),
        },
        Some(Type::List(_)) => Answer::EmptyList,
        Some(Type::Option(_)) => Answer::Absent,
        Some(Type::Own(ty)) => {
            let ours = known.iter().find(|(seen, _)| *seen == ty).and_then(|(_, id)| *id);
            ours.map_or(Answer::Trap, Answer::Handle)
        }
        Some(_) => Answer::Trap,
    }
}

/// How an error type says that access is denied.
fn denial(error: &Type) -> Option<Val> {
    match error {
        Type::Enum(cases) => DENIALS
            .iter()
            .find(|no| cases.names().any(|name| name == **no))
            .map(|no| Val::Enum((*no).to_owned())),
        Type::Variant(cases) => DENIALS
            .iter()
            .find(|no| cases.cases().any(|case| case.name == **no && case.ty.is_none()))
            .map(|no| Val::Variant((*no).to_owned(), None)),
        _ => None,
    }
}

fn define(
    linker: &mut Linker,
    interface: &str,
    name: &str,
    number: usize,
    full: &str,
    answer: Answer,
) -> Result<()> {
    let full = full.to_owned();
    linker.instance(interface)?.func_new(name, move |mut store, _, params, results| {
        charge(&mut store, params.iter().map(size).sum())?;
        count(&mut store.data_mut().inert, number);
        for param in params {
            release(&mut store, param)?;
        }
        let Some(result) = results.first_mut() else { return Ok(()) };
        *result = match &answer {
            Answer::Nothing => return Ok(()),
            Answer::Denied(no) => Val::Result(Err(no.clone().map(Box::new))),
            Answer::EmptyList => Val::List(Vec::new()),
            Answer::Absent => Val::Option(None),
            Answer::Handle(ty) => Val::Resource(handle(&mut store, *ty)?),
            Answer::Trap => {
                return Err(Stop::Misuse(format!(
                    "`{full}` called: this host denies it, and its type has no error to say so"
                ))
                .into());
            }
        };
        Ok(())
    })
}

fn handle(store: &mut StoreContextMut<'_, State>, ty: u32) -> Result<ResourceAny> {
    ResourceDynamic::new_own(0, ty).try_into_resource_any(store)
}

fn count(calls: &mut Vec<u64>, number: usize) {
    if calls.len() <= number {
        calls.resize(number + 1, 0);
    }
    calls[number] += 1;
}

/// Gives back the handles in a parameter: a borrowed one must not outlive the call.
fn release(store: &mut StoreContextMut<'_, State>, value: &Val) -> Result<()> {
    match value {
        Val::Resource(resource) => resource.resource_drop(&mut *store),
        Val::List(items) | Val::Tuple(items) => {
            items.iter().try_for_each(|item| release(store, item))
        }
        Val::Record(fields) => fields.iter().try_for_each(|(_, item)| release(store, item)),
        Val::Option(Some(item)) | Val::Variant(_, Some(item)) => release(store, item),
        Val::Result(Ok(Some(item)) | Err(Some(item))) => release(store, item),
        _ => Ok(()),
    }
}

/// About how many bytes a parameter made the host hold: a `Val` for each byte of a list of them.
fn size(value: &Val) -> u64 {
    let within = match value {
        Val::String(text) => text.len() as u64,
        Val::List(items) | Val::Tuple(items) => items.iter().map(size).sum(),
        Val::Record(fields) => {
            fields.iter().map(|(name, item)| name.len() as u64 + size(item)).sum()
        }
        Val::Option(Some(item)) | Val::Variant(_, Some(item)) => size(item),
        Val::Result(Ok(Some(item)) | Err(Some(item))) => size(item),
        _ => 0,
    };
    (size_of::<Val>() as u64).saturating_add(within)
}
