//! A panic in code that reads or compiles a component, made an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::LoadError;
use crate::shown::shown;

/// Runs `step` on a component; a panic is an error that says during what.
///
/// The panic hook has had its say by then. It belongs to the process, so it is left alone: where that
/// matters, a child has met the same panic first, and its standard error is not shown.
pub(crate) fn caught<T>(during: &str, step: impl FnOnce() -> T) -> Result<T, LoadError> {
    // Nothing that `step` could have left half done is used again: it works on borrowed bytes.
    catch_unwind(AssertUnwindSafe(step)).map_err(|payload| LoadError::Defect {
        detail: format!("{during}: {}", shown(message(&*payload))),
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(caught("reading it", || 1), Ok(1));
        let fixed = caught("reading it", || -> u8 { panic!("a fixed text") });
        let made = caught("compiling it", || -> u8 { panic!("text\u{1b} number {}", 7) });
        let table = [
            (fixed, "while reading it: a fixed text"),
            (made, "while compiling it: text\\u{1b} number 7"),
        ];
        for (result, expected) in table {
            let text = result.expect_err("a panic").to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}
