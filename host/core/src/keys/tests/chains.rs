//! Roots one after the other. What signs each stands in `vectors/roots/`: key n signed root n + 1.

use std::collections::HashMap;

use super::*;
use crate::id::Digest;

/// Objects, and the signatures over them.
#[derive(Default, Clone)]
struct Held {
    objects: HashMap<Digest, Vec<u8>>,
    signatures: HashMap<Digest, Vec<Signature>>,
}

impl Evidence for Held {
    type Error = std::convert::Infallible;
    fn object(&self, digest: Digest) -> Result<Option<Vec<u8>>, Self::Error> {
        Ok(self.objects.get(&digest).cloned())
    }
    fn signatures(&self, digest: Digest) -> Result<Vec<Signature>, Self::Error> {
        Ok(self.signatures.get(&digest).cloned().unwrap_or_default())
    }
    /// `version key [previous]`: the key's number is that of its owner too.
    fn root(&self, bytes: &[u8]) -> Result<Root, String> {
        let text = String::from_utf8_lossy(bytes);
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let [version, admin, previous @ ..] = words.as_slice() else {
            return Err("no root".into());
        };
        let at: usize = admin.parse().map_err(|_| "no number")?;
        let admin = AdminText { principal: format!("admin{at}"), key: key(at).into() };
        let previous = previous.first().map(|it| it.parse().expect("a digest"));
        let version = version.parse().expect("a version");
        Root::new(&RootText { version, quorum: 1, previous, admins: vec![admin] })
            .map_err(|faults| format!("{faults:?}"))
    }
}

const ROOTS: [&str; 3] = [
    include_str!("vectors/roots/1"),
    include_str!("vectors/roots/2"),
    include_str!("vectors/roots/3"),
];
const SIGNATURES: [&str; 2] =
    [include_str!("vectors/roots/2.sig"), include_str!("vectors/roots/3.sig")];

fn digest(at: usize) -> Digest {
    Digest::of(ROOTS[at].as_bytes())
}

fn held() -> Held {
    let mut held = Held::default();
    for (at, root) in ROOTS.iter().enumerate() {
        held.objects.insert(digest(at), root.as_bytes().to_vec());
    }
    for (at, armoured) in SIGNATURES.iter().enumerate() {
        let signature = Signature::parse(armoured.as_bytes()).expect("a signature");
        held.signatures.insert(digest(at + 1), vec![signature]);
    }
    held
}

fn fault(pinned: Digest, current: &str, held: &Held) -> ChainFault {
    match chain(pinned, current.as_bytes(), held) {
        Err(ChainError::Fault(fault)) => fault,
        Ok(chain) => panic!("it holds: {chain:?}"),
    }
}

#[test]
fn every_step_from_the_pinned_root_is_signed_by_the_root_before_it() {
    let held = held();
    for pinned in 0..3 {
        let chain = chain(digest(pinned), ROOTS[2].as_bytes(), &held).expect("a chain");
        assert_eq!(chain.roots.len(), 3 - pinned);
        assert_eq!(chain.pinned().map(|(digest, _)| *digest), Some(digest(pinned)));
        assert_eq!(chain.in_force().map(|(_, root)| root.version), Some(3));
    }
    // The pinned root itself needs nobody's signature.
    assert!(chain(digest(2), ROOTS[2].as_bytes(), &Held::default()).is_ok());
}

#[test]
fn whatever_is_missing_or_changed_breaks_the_chain() {
    let other = Digest::of(b"another root");
    let first = digest(0);
    let not_an_ancestor = ChainFault::NotAnAncestor { pinned: other, first };
    assert_eq!(fault(other, ROOTS[2], &held()), not_an_ancestor);
    // A root before the pinned one is none of its successors.
    let back = ChainFault::NotAnAncestor { pinned: digest(2), first };
    assert_eq!(fault(digest(2), ROOTS[1], &held()), back);

    let mut missing = held();
    missing.objects.remove(&digest(1));
    assert_eq!(fault(first, ROOTS[2], &missing), ChainFault::Missing(digest(1)));

    let mut changed = held();
    changed.objects.insert(digest(1), b"2 1".to_vec());
    assert_eq!(fault(first, ROOTS[2], &changed), ChainFault::Changed(digest(1)));

    for step in [1, 2] {
        let mut unsigned = held();
        unsigned.signatures.remove(&digest(step));
        let not_signed = ChainFault::NotSigned {
            digest: digest(step),
            signed: 0,
            asked: 1,
            missing: format!("admin{}", step - 1),
        };
        assert_eq!(fault(first, ROOTS[2], &unsigned), not_signed);
        // The signature of the next step does not do for this one.
        let other = held().signatures.remove(&digest(3 - step)).expect("a signature");
        unsigned.signatures.insert(digest(step), other);
        assert_eq!(fault(first, ROOTS[2], &unsigned), not_signed);
    }

    let leap = format!("4 0 {}", digest(1));
    let leap_fault =
        ChainFault::Version { digest: Digest::of(leap.as_bytes()), found: 4, before: 2 };
    assert_eq!(fault(first, &leap, &held()), leap_fault);
    assert!(matches!(fault(first, "x", &held()), ChainFault::Unusable { .. }));
}
