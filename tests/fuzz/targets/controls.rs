//! The files that people write: see `accredit_tests::fuzzed::controls`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    accredit_tests::fuzzed::controls::run(bytes);
});
