//! What a gate reads of strangers: see `accredit_tests::fuzzed::gate`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    accredit_tests::fuzzed::gate::run(bytes);
});
