//! What the host enforces on findings: see `accredit_tests::fuzzed::findings`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    accredit_tests::fuzzed::findings::run(bytes);
});
