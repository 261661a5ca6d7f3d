//! The [`grader!`](crate::grader) macro, and what its expansion calls.

use crate::bindings::exports::accredit::grader::grader::Guest;
use crate::contract::Manifest;
use crate::{Case, Finding, Grader, Refusal};

/// Implemented by the macro for the type that stands for the component.
pub trait Declared {
    /// The grader that the component exports.
    const GRADER: Grader;
}

impl<T: Declared> Guest for T {
    fn describe() -> Manifest {
        Manifest::from(&T::GRADER)
    }

    fn grade(input: Case) -> Result<Vec<Finding>, Refusal> {
        (T::GRADER.grade)(&input)
    }
}

/// The bytes of `text`, in the form that a custom section asks for.
pub const fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(text.as_bytes());
    bytes
}

/// Declares the crate's grader, and exports it when the crate is built for `wasm32-wasip2`.
///
/// All fields are needed, in this order. `authors` is written into the component, where
/// `accredit inspect` reads it. The expansion is one public constant, `GRADER`, of type
/// [`Grader`], for native tests to call. One invocation a crate, at its root.
#[macro_export]
macro_rules! grader {
    (
        name: $name:expr,
        version: $version:expr,
        rubric: $rubric:expr,
        authors: $authors:expr,
        rules: $rules:expr,
        grade: $grade:expr $(,)?
    ) => {
        /// The grader that this crate exports as a component.
        pub const GRADER: $crate::Grader = $crate::Grader {
            name: $name,
            version: $version,
            rubric: $rubric,
            rules: $rules,
            grade: $grade,
        }
        .checked();

        #[cfg(target_os = "wasi")]
        const _: () = {
            struct Component;

            impl $crate::export::Declared for Component {
                const GRADER: $crate::Grader = GRADER;
            }

    $crate::bindings::export_component!(Component with_types_in $crate::bindings);

            const AUTHORS_TEXT: &str = $authors;

            #[unsafe(link_section = "authors")]
            static AUTHORS: [u8; AUTHORS_TEXT.len()] = $crate::export::bytes_of(AUTHORS_TEXT);
        };
    };
}
