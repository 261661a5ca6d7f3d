//! What the host enforces on keys: see `accredit_tests::fuzzed::keys`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    accredit_tests::fuzzed::keys::run(bytes);
});
