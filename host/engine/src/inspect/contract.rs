//! Whether a component exports the contract, and by name where its types differ from it.
//!
//! Component types are structural: one more field in a record, or one more case in an enum, is another
//! type, and wasmtime would only say so at instantiation, without naming what differs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use wit_parser::{Function, InterfaceId, Resolve, Type, TypeDefKind, TypeId, WorldId};

use super::{interface, name};
use crate::contract::{GRADER, SPEAKS, VERSION, WIT, speaks};
use crate::error::LoadError;

/// How many differences are named.
const MOST: usize = 8;

/// The contract, parsed once: its graph and its `grader` interface.
static CONTRACT: LazyLock<Option<(Resolve, InterfaceId)>> = LazyLock::new(|| {
    let mut resolve = Resolve::default();
    let package = resolve.push_source("grader.wit", WIT).ok()?;
    let grader = *resolve.packages[package].interfaces.get("grader")?;
    Some((resolve, grader))
});

/// The full name under which the world exports the grader interface, in whatever version.
pub(super) fn exported_name(resolve: &Resolve, world: WorldId) -> Option<String> {
    exported(resolve, world).map(|(name, _)| name)
}

fn exported(resolve: &Resolve, world: WorldId) -> Option<(String, InterfaceId)> {
    let all = resolve.worlds[world].exports.iter().filter_map(|(key, item)| {
        let name = name(resolve, key);
        let plain = name.split('@').next()?;
        (plain == GRADER).then(|| Some((name, interface(item)?)))?
    });
    // Of several versions, the one this host speaks.
    all.max_by_key(|(name, _)| version_of(name).is_some_and(speaks))
}

fn version_of(name: &str) -> Option<&str> {
    name.split_once('@').map(|(_, version)| version)
}

/// Checks the export's name, version and types.
pub(super) fn check(
    resolve: &Resolve,
    world: WorldId,
    exports: &[String],
) -> Result<(), LoadError> {
    let Some((name, grader)) = exported(resolve, world) else {
        return Err(LoadError::NotAGrader { exports: exports.to_vec() });
    };
    if !version_of(&name).is_some_and(speaks) {
        return Err(LoadError::OtherContract { found: name, speaks: SPEAKS });
    }
    let differences = differences(resolve, grader);
    if differences.is_empty() {
        Ok(())
    } else {
        Err(LoadError::TypesDiffer { contract: VERSION, differences })
    }
}

fn differences(resolve: &Resolve, grader: InterfaceId) -> Vec<String> {
    let Some((contract, wanted)) = &*CONTRACT else {
        return vec!["this host's own copy of the contract does not parse".to_owned()];
    };
    let mut walk =
        Walk { wanted: contract, found: resolve, seen: BTreeSet::new(), out: Vec::new() };
    for (name, function) in &contract.interfaces[*wanted].functions {
        match resolve.interfaces[grader].functions.get(name) {
            Some(found) => walk.function(name, function, found),
            None => walk.note(format!("no function `{name}`")),
        }
    }
    walk.out
}

/// Walks the contract's types and the component's side by side.
struct Walk<'a> {
    wanted: &'a Resolve,
    found: &'a Resolve,
    seen: BTreeSet<(String, String)>,
    out: Vec<String>,
}

impl Walk<'_> {
    fn note(&mut self, difference: String) {
        if self.out.len() < MOST && !self.out.contains(&difference) {
            self.out.push(difference);
        }
    }

    fn function(&mut self, name: &str, wanted: &Function, found: &Function) {
        let place = format!("function `{name}`");
        self.names(&place, "parameter", &params(wanted), &params(found));
        for (w, f) in wanted.params.iter().zip(&found.params) {
            self.ty(&format!("{place}, parameter `{}`", w.name), &w.ty, &f.ty);
        }
        match (&wanted.result, &found.result) {
            (Some(w), Some(f)) => self.ty(&format!("{place}, result"), w, f),
            (None, None) => {}
            _ => self.note(format!("{place} returns something else")),
        }
        if std::mem::discriminant(&wanted.kind) != std::mem::discriminant(&found.kind) {
            self.note(format!("{place} is of another kind (async, or a method)"));
        }
    }

    /// Names that must be the same in the same order.
    fn names(&mut self, place: &str, what: &str, wanted: &[&str], found: &[&str]) {
        let before = self.out.len();
        for name in found.iter().filter(|name| !wanted.contains(name)) {
            self.note(format!("{place} has an extra {what} `{name}`"));
        }
        for name in wanted.iter().filter(|name| !found.contains(name)) {
            self.note(format!("{place} lacks the {what} `{name}`"));
        }
        if self.out.len() == before && wanted != found {
            self.note(format!("{place} has its {what}s in another order"));
        }
    }

    fn ty(&mut self, place: &str, wanted: &Type, found: &Type) {
        let (wanted, found) = (resolved(self.wanted, *wanted), resolved(self.found, *found));
        match (wanted, found) {
            (Type::Id(w), Type::Id(f)) => self.defined(place, w, f),
            (w, f) if w == f => {}
            (w, f) => {
                let (w, f) = (described(self.wanted, w), described(self.found, f));
                self.note(format!("{place} is `{f}` instead of `{w}`"));
            }
        }
    }

    fn defined(&mut self, place: &str, wanted: TypeId, found: TypeId) {
        let (w, f) = (&self.wanted.types[wanted], &self.found.types[found]);
        let place = match &w.name {
            Some(name) => format!("{} `{name}`", w.kind.as_str()),
            None => place.to_owned(),
        };
        if w.name.is_some() && !self.seen.insert((format!("{wanted:?}"), format!("{found:?}"))) {
            return;
        }
        match (&w.kind, &f.kind) {
            (TypeDefKind::Record(w), TypeDefKind::Record(f)) => {
                let names = |record: &'_ wit_parser::Record| {
                    record.fields.iter().map(|f| f.name.clone()).collect::<Vec<_>>()
                };
                let (wanted, found) = (names(w), names(f));
                self.names(&place, "field", &strs(&wanted), &strs(&found));
                for field in &w.fields {
                    if let Some(other) = f.fields.iter().find(|other| other.name == field.name) {
                        self.ty(&format!("{place}, field `{}`", field.name), &field.ty, &other.ty);
                    }
                }
            }
            (TypeDefKind::Enum(w), TypeDefKind::Enum(f)) => {
                let names = |e: &'_ wit_parser::Enum| {
                    e.cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>()
                };
                let (wanted, found) = (names(w), names(f));
                self.names(&place, "case", &strs(&wanted), &strs(&found));
            }
            (TypeDefKind::List(w), TypeDefKind::List(f)) => {
                self.ty(&format!("{place}, items"), w, f);
            }
            (TypeDefKind::Option(w), TypeDefKind::Option(f)) => self.ty(&place, w, f),
            (TypeDefKind::Result(w), TypeDefKind::Result(f)) => {
                self.optional(&format!("{place}, ok"), w.ok, f.ok);
                self.optional(&format!("{place}, error"), w.err, f.err);
            }
            _ => {
                let (w, f) = (
                    described(self.wanted, Type::Id(wanted)),
                    described(self.found, Type::Id(found)),
                );
                self.note(format!("{place} is `{f}` instead of `{w}`"));
            }
        }
    }

    fn optional(&mut self, place: &str, wanted: Option<Type>, found: Option<Type>) {
        match (wanted, found) {
            (Some(w), Some(f)) => self.ty(place, &w, &f),
            (None, None) => {}
            _ => self.note(format!("{place} differs")),
        }
    }
}

fn params(function: &Function) -> Vec<&str> {
    function.params.iter().map(|param| param.name.as_str()).collect()
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// Follows aliases to the type itself.
fn resolved(resolve: &Resolve, mut ty: Type) -> Type {
    while let Type::Id(id) = ty {
        match resolve.types[id].kind {
            TypeDefKind::Type(next) => ty = next,
            _ => break,
        }
    }
    ty
}

/// A type's name, or what kind of type it is.
fn described(resolve: &Resolve, ty: Type) -> String {
    match ty {
        Type::Id(id) => {
            let definition = &resolve.types[id];
            let kind = match &definition.kind {
                TypeDefKind::List(item) => {
                    format!("list<{}>", described(resolve, resolved(resolve, *item)))
                }
                TypeDefKind::Option(item) => {
                    format!("option<{}>", described(resolve, resolved(resolve, *item)))
                }
                kind => kind.as_str().to_owned(),
            };
            definition.name.clone().unwrap_or(kind)
        }
        other => format!("{other:?}").to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edit: impl Fn(&str) -> String) -> Vec<String> {
        let mut resolve = Resolve::default();
        let package = resolve.push_source("x.wit", &edit(WIT)).expect("parses");
        differences(&resolve, resolve.packages[package].interfaces["grader"])
    }

    #[test]
    fn the_contract_is_itself() {
        assert_eq!(check(str::to_owned), Vec::<String>::new());
    }

    #[test]
    fn differences_are_named() {
        let cases: &[(&str, &str, &str)] = &[
            (
                "    unresolved,\n",
                "    unresolved,\n maybe,\n",
                "enum `verdict` has an extra case `maybe`",
            ),
            ("    unresolved,\n", "", "enum `verdict` lacks the case `unresolved`"),
            (
                "    score: option<f64>,",
                "    score: option<f32>,",
                "record `finding`, field `score` is `f32` instead of `f64`",
            ),
            ("    rationale: string,\n", "", "record `finding` lacks the field `rationale`"),
            (
                "    rationale: string,\n",
                "    rationale: string,\n more: u8,\n",
                "record `finding` has an extra field `more`",
            ),
            (
                "func(input: grading-case)",
                "func(it: grading-case)",
                "function `grade` has an extra parameter `it`",
            ),
            (
                "list<u8>",
                "string",
                "record `artifact`, field `data` is `string` instead of `list<u8>`",
            ),
            ("    must-not,\n", "    never,\n", "enum `tier` lacks the case `must-not`"),
            ("describe: func() -> manifest;", "", "no function `describe`"),
        ];
        for (from, to, expected) in cases {
            assert!(WIT.contains(from), "{from}");
            let found = check(|wit| wit.replacen(from, to, 1));
            assert!(found.iter().any(|line| line.contains(expected)), "{expected}: {found:?}");
        }
    }
}
