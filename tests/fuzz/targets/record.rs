//! Run records and their reports: see `accredit_tests::fuzzed::record`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    accredit_tests::fuzzed::record::run(bytes);
});
