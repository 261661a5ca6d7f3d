//! A component file from a stranger: see `accredit_tests::fuzzed::loader`.

#![no_main]

use std::panic::{PanicHookInfo, set_hook};

libfuzzer_sys::fuzz_target!(
    init: set_hook(Box::new(told)),
    |bytes: &[u8]| {
        accredit_tests::fuzzed::loader::run(bytes);
    }
);

/// In place of libFuzzer's hook, which ends the process: the engine makes panics of wit-parser an error,
/// as it promises. Any other panic comes through, and ends the process then.
fn told(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(|place| place.file()).unwrap_or_default();
    if !place.contains("wit-parser") {
        eprintln!("{panic}");
    }
}
