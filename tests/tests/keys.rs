//! What counts as somebody's signature is what ssh-keygen says, over keys of every kind that is taken.

use std::collections::BTreeSet;

use accredit_core::keys::{AllowedSigners, Signature, Signers};
use accredit_core::ledger::Moment;
use accredit_tests::keys::Keys;

const NAMESPACE: &str = "promotion.v1@accredit";
const BYTES: &[u8] = b"{\"what\":\"is signed\"}\n";

/// Name, arguments of ssh-keygen -t.
const KINDS: [(&str, &[&str]); 5] = [
    ("ed25519", &["ed25519"]),
    ("p256", &["ecdsa", "-b", "256"]),
    ("p384", &["ecdsa", "-b", "384"]),
    ("p521", &["ecdsa", "-b", "521"]),
    ("rsa3072", &["rsa", "-b", "3072"]),
];

/// The same moment in our words and in ssh-keygen's.
fn time(moment: &str) -> (Moment, String) {
    let digits: String = moment.chars().filter(|char| !"-:T".contains(*char)).collect();
    (moment.parse().expect("a moment"), digits)
}

/// Whether accredit counts it for this principal, asserting that ssh-keygen does the same.
#[track_caller]
fn agreed(
    keys: &Keys,
    lines: &str,
    principal: &str,
    namespace: &str,
    signed: (&str, &[u8]),
    moment: &str,
) -> bool {
    let text = format!("# accredit: version 1\n{lines}\n");
    let (moment, digits) = time(moment);
    let file = AllowedSigners::parse(text.as_bytes()).expect("a file of signers");
    let signers = Signers::new(file, None);
    let ours = Signature::parse(signed.0.as_bytes())
        .ok()
        .and_then(|it| signers.check(&it, namespace, signed.1, &[moment]).ok())
        .is_some_and(|signers| signers.iter().any(|it| it.principal == principal));
    let theirs = keys.verifies(&text, principal, namespace, signed, &digits);
    assert_eq!(
        ours, theirs,
        "accredit says {ours}, ssh-keygen {theirs}: {lines} {principal} {moment}"
    );
    ours
}

#[test]
fn signatures_count_exactly_where_ssh_keygen_says_so() {
    let Some(keys) = Keys::new() else { return };
    keys.make("stranger", &["ed25519"]);
    let now = "2026-11-30T22:00:00Z";
    for (name, kind) in KINDS {
        keys.make(name, kind);
        let key = keys.public(name);
        let line = |options: &str| format!("ada,ada@example.org {options} {key} a comment");
        for more in [&[][..], &["-Ohashalg=sha256"], &["-Ohashalg=sha512"]] {
            let armoured = keys.sign_with(name, NAMESPACE, BYTES, more);
            let signed = (armoured.as_str(), BYTES);
            let ask = |options: &str, who: &str, namespace: &str, moment: &str| {
                agreed(&keys, &line(options), who, namespace, signed, moment)
            };
            assert!(ask("", "ada", NAMESPACE, now), "{name}");
            assert!(ask("", "ada@example.org", NAMESPACE, now));
            assert!(!ask("", "bob", NAMESPACE, now), "another principal");
            assert!(!ask("", "Ada", NAMESPACE, now), "letters count");
            assert!(!ask("", "ada", "policy.v1@accredit", now), "another namespace");
            assert!(ask("namespaces=\"x,promotion.v1@accredit\"", "ada", NAMESPACE, now));
            assert!(!ask("namespaces=\"policy.v1@accredit\"", "ada", NAMESPACE, now));
            let window = "valid-after=\"20261130Z\",valid-before=\"202611302200Z\"";
            assert!(ask(window, "ada", NAMESPACE, "2026-11-30T00:00:00Z"), "the first second");
            assert!(ask(window, "ada", NAMESPACE, now), "the last second");
            assert!(!ask(window, "ada", NAMESPACE, "2026-11-29T23:59:59Z"), "not yet");
            assert!(!ask(window, "ada", NAMESPACE, "2026-11-30T22:00:01Z"), "no more");
        }
        let armoured = keys.sign(name, NAMESPACE, BYTES);
        let mut changed = BYTES.to_vec();
        changed[3] ^= 1;
        assert!(!agreed(&keys, &line(""), "ada", NAMESPACE, (&armoured, &changed), now));
        let stranger = keys.sign("stranger", NAMESPACE, BYTES);
        assert!(!agreed(&keys, &line(""), "ada", NAMESPACE, (&stranger, BYTES), now));
        // Two lines with one key: what one does not allow, the other may.
        let both = format!("{}\n{}", line("namespaces=\"x\""), line(""));
        assert!(agreed(&keys, &both, "ada", NAMESPACE, (&armoured, BYTES), now));
    }
}

#[test]
fn no_bit_of_a_fresh_signature_or_of_what_it_signs_can_change() {
    let Some(keys) = Keys::new() else { return };
    for (name, kind) in KINDS {
        keys.make(name, kind);
        let text = format!("# accredit: version 1\nada {}\n", keys.public(name));
        let signers =
            Signers::new(AllowedSigners::parse(text.as_bytes()).expect("a file of signers"), None);
        let holds = |armoured: &[u8], bytes: &[u8]| {
            Signature::parse(armoured)
                .is_ok_and(|it| signers.check(&it, NAMESPACE, bytes, &[]).is_ok())
        };
        let armoured = keys.sign(name, NAMESPACE, BYTES);
        let armoured = armoured.trim_end().as_bytes();
        assert!(holds(armoured, BYTES));
        let flipped = |bytes: &[u8], bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        for bit in 0..8 * armoured.len() {
            assert!(!holds(&flipped(armoured, bit), BYTES), "{name}: bit {bit} of the signature");
        }
        for bit in 0..8 * BYTES.len() {
            assert!(!holds(armoured, &flipped(BYTES, bit)), "{name}: bit {bit} of the bytes");
        }
    }
}

#[test]
fn what_ssh_keygen_does_not_take_in_allowed_signers_is_not_taken_here() {
    let Some(keys) = Keys::new() else { return };
    keys.make("ed25519", &["ed25519"]);
    let key = keys.public("ed25519");
    let armoured = keys.sign("ed25519", NAMESPACE, BYTES);
    // What stands between the name and the key, and whether each of the two takes it.
    let table = [
        ("", true, true),
        ("namespaces=\"promotion.v1@accredit\"", true, true),
        ("valid-after=\"19700101000001Z\"", true, true),
        ("namespaces=promotion.v1@accredit", false, false),
        ("namespaces=\"promotion.v1@accredit", false, false),
        ("namespaces", false, false),
        ("nonsense=\"1\"", false, false),
        ("valid-after=\"2026\"", false, false),
        ("valid-after=\"20261130Z\",valid-after=\"20261130Z\"", false, false),
        ("valid-after=\"20261130Z\",valid-before=\"20261129Z\"", false, false),
        ("valid-after=\"20261130Z\" namespaces=\"x\"", false, false),
        // Taken by OpenSSH alone.
        ("namespaces=\"promotion.*\"", false, true),
        ("NAMESPACES=\"promotion.v1@accredit\"", false, true),
        ("valid-before=\"20271130\"", false, true),
    ];
    for (options, ours, theirs) in table {
        let text = format!("# accredit: version 1\nada {options} {key}\n");
        let parsed = AllowedSigners::parse(text.as_bytes());
        assert_eq!(parsed.is_ok(), ours, "{options}: {parsed:?}");
        let time = "20261201000000Z";
        let verifies = keys.verifies(&text, "ada", NAMESPACE, (&armoured, BYTES), time);
        assert_eq!(verifies, theirs, "{options}");
    }
    let taken: BTreeSet<_> = table.iter().filter(|(_, ours, theirs)| *ours && !theirs).collect();
    assert!(taken.is_empty(), "nothing is taken here that OpenSSH refuses");
}
