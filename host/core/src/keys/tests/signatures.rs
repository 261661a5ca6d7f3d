//! What holds, and that nothing else does.

use super::*;

const SK: &str = include_str!("vectors/sk.sig");
const SHA256: [&str; 2] =
    [include_str!("vectors/sha256.sig"), include_str!("vectors/rsa2048-sha256.sig")];

#[test]
fn signatures_of_ssh_keygen_hold_over_what_they_signed_and_nothing_else() {
    for (public, armoured) in KEYS {
        let signature = Signature::parse(armoured.as_bytes()).expect("a signature");
        let key = PublicKey::parse(public).expect("a key");
        assert_eq!((signature.key(), signature.namespace()), (&key, POLICY));
        assert_eq!(key.to_openssh(), public.trim_end());
        assert_eq!(signature.holds(POLICY, SIGNED), Ok(()), "{public}");
        assert_eq!(signature.holds(POLICY, b"what is signed"), Err(SignatureFault::Wrong));
        let other = SignatureFault::Namespace { found: POLICY.into(), expected: ROOT.into() };
        assert_eq!(signature.holds(ROOT, SIGNED), Err(other));
    }
    for armoured in SHA256 {
        let signature = Signature::parse(armoured.as_bytes()).expect("a signature");
        assert_eq!(signature.holds(POLICY, SIGNED), Ok(()));
    }
    // From the tests of the crate ssh-key: a hardware key that was touched.
    let signature = Signature::parse(SK.as_bytes()).expect("a signature");
    assert!(signature.key().is_hardware());
    assert_eq!(signature.holds("example", b"testing"), Ok(()));
    assert_eq!(signature.holds("example", b"tested"), Err(SignatureFault::Wrong));
}

#[test]
fn no_bit_of_a_signature_or_of_what_it_signs_can_change() {
    let sk = (SK, "example", b"testing".as_slice());
    let own = KEYS.iter().map(|(_, armoured)| (*armoured, POLICY, SIGNED));
    for (armoured, namespace, bytes) in own.chain([sk]) {
        let holds = |armoured: &[u8], bytes: &[u8]| {
            Signature::parse(armoured).is_ok_and(|it| it.holds(namespace, bytes).is_ok())
        };
        let text = armoured.trim_end().as_bytes();
        assert!(holds(text, bytes));
        for bit in 0..8 * text.len() {
            let mut changed = text.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!holds(&changed, bytes), "bit {bit} of {armoured}");
        }
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!holds(text, &changed), "bit {bit} of what was signed");
        }
    }
}

#[test]
fn one_signature_stands_alone() {
    let one = KEYS[0].1;
    for whole in [one.to_owned(), format!("\n\n{one}\r\n \t"), one.trim_end().to_owned()] {
        assert!(Signature::parse(whole.as_bytes()).is_ok());
    }
    for (text, fault) in [
        (format!("{one}{one}"), SignatureFault::Several),
        (format!("{one}{}", KEYS[1].1), SignatureFault::Several),
        (format!("hello\n{one}"), SignatureFault::NotOne),
        (format!("{one}hello"), SignatureFault::NotOne),
        (one.replace("SSH SIGNATURE", "PGP SIGNATURE"), SignatureFault::NotOne),
        (String::new(), SignatureFault::NotOne),
        (format!("{one}{}", "\n".repeat(70_000)), SignatureFault::NotOne),
        (one.replace('\n', "\r\n"), SignatureFault::NotCanonical),
        (one.replacen("U1NI", "U1\nNI", 1), SignatureFault::Unreadable),
        (one.replacen("U1NIU0lHAAAAAQ", "U1NIU0lHAAAAAA", 1), SignatureFault::Unreadable),
        (one.replacen("U1NIU0lHAAAAAQ", "U1NIU0lHAAAAAg", 1), SignatureFault::Unreadable),
    ] {
        assert_eq!(Signature::parse(text.as_bytes()), Err(fault), "{text}");
    }
    assert_eq!(Signature::parse(b"\xff"), Err(SignatureFault::NotOne));
}

#[test]
fn weak_keys_and_kinds_that_nobody_can_check_are_refused() {
    let short = include_str!("vectors/rsa1024.sig").as_bytes();
    let fault = KeyFault::RsaLength { bits: 1024 };
    assert_eq!(Signature::parse(short), Err(SignatureFault::Key(fault.clone())));
    assert_eq!(PublicKey::parse(include_str!("vectors/rsa1024.pub")), Err(fault));
    let dsa = KeyFault::Kind("ssh-dss".into());
    assert_eq!(PublicKey::parse(include_str!("vectors/dsa.pub")), Err(dsa.clone()));
    let signature = Signature::parse(include_str!("vectors/dsa.sig").as_bytes());
    assert_eq!(signature, Err(SignatureFault::Key(dsa)));
    assert!(PublicKey::parse(include_str!("vectors/sk-ecdsa.pub")).expect("a key").is_hardware());
    let certificate = "ssh-ed25519-cert-v01@openssh.com";
    for (text, fault) in [
        ("", KeyFault::Unreadable),
        ("ssh-ed25519", KeyFault::Unreadable),
        ("ssh-ed25519 AAAA", KeyFault::Unreadable),
        (&key(0).replace("ssh-ed25519", "ssh-rsa"), KeyFault::Unreadable),
        (&format!("{}AAAA", key(0)), KeyFault::Unreadable),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA", KeyFault::Private),
        (&format!("{certificate} AAAA"), KeyFault::Certificate(certificate.into())),
        ("ssh-\u{1b}new AAAA", KeyFault::Kind("ssh-\\u{1b}new".into())),
    ] {
        assert_eq!(PublicKey::parse(text), Err(fault), "{text}");
    }
}

#[test]
fn a_hardware_key_must_have_been_touched() {
    // The flags are not where a flip of one bit is seen by the reader: they are signed. Without a touch the
    // signature is refused before it is checked.
    let untouched = SK.replace("lQYBAAAACQ==", "lQYAAAAACQ==");
    assert_ne!(untouched, SK);
    assert_eq!(Signature::parse(untouched.as_bytes()), Err(SignatureFault::NotTouched));
}

#[test]
fn fingerprints_are_those_of_ssh_keygen() {
    let key = PublicKey::parse(key(0)).expect("a key");
    assert_eq!(key.fingerprint(), "SHA256:K6sKLmArXe6xl81n5XlI6dkpCs+cz1G7uKzzkeisSRo");
    assert_eq!(key.to_string(), "ssh-ed25519 SHA256:K6sKLmArXe6xl81n5XlI6dkpCs+cz1G7uKzzkeisSRo");
}

#[test]
fn a_quorum_counts_administrators_once_each() {
    let admin =
        |principal: &str, at| AdminText { principal: principal.into(), key: key(at).into() };
    let text = RootText {
        version: 1,
        quorum: 2,
        previous: None,
        admins: vec![admin("ada", 0), admin("ada", 1), admin("bob", 2)],
    };
    let root = Root::new(&text).expect("a root");
    let of = |signatures: &[Signature]| quorum(&root, POLICY, SIGNED, signatures);
    let twice = of(&[signature(0), signature(1), signature(0)]);
    assert!(!twice.is_met(), "two keys of one person");
    assert_eq!(twice.missing.iter().collect::<Vec<_>>(), ["bob"]);
    assert!(of(&[signature(0), signature(2)]).is_met());
    let stranger = of(&[signature(0), signature(4)]);
    assert!(!stranger.is_met());
    assert_eq!(stranger.strangers, [PublicKey::parse(key(4)).expect("a key")]);
    let wrong = quorum(&root, POLICY, b"other", &[signature(0), signature(2)]);
    assert_eq!((wrong.signed.len(), wrong.refused.len()), (0, 2));
    let elsewhere = quorum(&root, SIGNERS, SIGNED, &[signature(0), signature(2)]);
    assert_eq!((elsewhere.signed.len(), elsewhere.refused.len()), (0, 2));
}
