//! The digests that a file names.

use std::collections::BTreeSet;

use accredit_core::id::Digest;

/// Files up to this size are read as JSON or TOML too, in which a digest can be written with escapes.
const SMALL: usize = 1 << 20;

/// Every digest that these bytes may name: each run of 64 hexadecimal digits, as it stands and as it stands when
/// JSON or TOML is written plainly. That some are of something else does no harm: more is kept.
pub(super) fn digests(bytes: &[u8]) -> BTreeSet<Digest> {
    let mut named: BTreeSet<_> = runs(bytes).collect();
    let text =
        || str::from_utf8(bytes).ok().filter(|text| text.contains('\\') && text.len() <= SMALL);
    if let Some(text) = text() {
        for line in text.lines().chain([text]) {
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(line) {
                named.extend(runs(value.to_string().as_bytes()));
            }
        }
        if let Ok(value) = toml::from_str::<toml::Table>(text) {
            named.extend(runs(value.to_string().as_bytes()));
        }
    }
    named
}

fn runs(bytes: &[u8]) -> impl Iterator<Item = Digest> {
    let runs = bytes.split(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let whole = runs.filter(|run| run.len() == 64);
    whole.filter_map(|run| format!("blake3:{}", str::from_utf8(run).ok()?).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_found_however_they_are_written() {
        let digest = Digest::of(b"x");
        let hex = digest.hex();
        let escaped = format!("\\u{:04x}{}", u32::from(hex.as_bytes()[0]), &hex[1..]);
        for text in [
            format!("blake3:{hex}"),
            format!("{{\"blake3\":\"{hex}\"}}"),
            format!("{{\"a\":1}}\n{{\"of\":\"blake3:{escaped}\"}}\n"),
            format!("previous = \"blake3:{escaped}\" # \\"),
        ] {
            assert_eq!(digests(text.as_bytes()), [digest].into(), "{text}");
        }
        for text in
            [format!("a{hex}"), hex[1..].to_owned(), hex.to_uppercase() + "G", String::new()]
        {
            assert!(digests(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
