//! Ledgers that parted and are put together.

use proptest::prelude::*;

use super::*;

/// Behind so many entries that all share, these remarks.
fn branch(shared: i64, remarks: &[u8]) -> Chain {
    let mut chain = chain(shared);
    for remark in remarks {
        let number = i64::from(*remark);
        let payload = noted(&format!("branch {remark}")).to_json();
        chain.append(&payload, &signature(number), at(100 + number)).expect("sound");
    }
    chain
}

fn texts(chain: &Chain) -> Vec<&str> {
    chain.entries().map(Entry::payload_text).collect()
}

#[test]
fn both_sides_are_kept_the_base_first() {
    let (base, ours) = (branch(2, &[1, 2]), branch(2, &[3, 2, 4]));
    let Rebased { chain, relinked, dropped } = Chain::rebase(&base, &ours).expect("one grader");
    assert_eq!((relinked, dropped), (2, 1));
    assert_eq!(texts(&chain), texts(&branch(2, &[1, 2, 3, 4])));
    assert_eq!(chain.entry(5).expect("an entry").signatures(), signature(3));
    assert_eq!(chain.entry(5).expect("an entry").at(), at(103));
    assert_eq!(chain.extends(&base), Ok(2));
    assert_eq!(read(chain.text(), &chain.head()).expect("sound").chain, chain);
    let again = Chain::rebase(&base, &chain).expect("one grader");
    assert_eq!((again.chain, again.relinked), (chain, 2), "twice is once");
}

#[test]
fn the_same_said_twice_on_one_side_stays_twice() {
    let (base, ours) = (branch(1, &[1]), branch(1, &[2, 1, 1]));
    let rebased = Chain::rebase(&base, &ours).expect("one grader");
    assert_eq!((rebased.relinked, rebased.dropped, rebased.chain.len()), (2, 1, 4));
    let later = {
        let mut ours = chain(1);
        let payload = noted("branch 1").to_json();
        ours.append(&payload, &signature(1), at(500)).expect("sound");
        ours
    };
    assert_eq!(Chain::rebase(&base, &later).expect("one grader").dropped, 0, "another time");
}

#[test]
fn a_ledger_only_grows() {
    let reference = branch(2, &[1]);
    let table = [
        (branch(2, &[1]), Ok(0)),
        (branch(2, &[1, 2]), Ok(1)),
        (branch(2, &[]), Err(NotExtended::Shorter { found: 2, reference: 3 })),
        (branch(0, &[]), Err(NotExtended::Shorter { found: 0, reference: 3 })),
        (branch(2, &[2, 1]), Err(NotExtended::Differs { entry: 3 })),
        (branch(0, &[1]), Err(NotExtended::Differs { entry: 1 })),
    ];
    for (chain, expected) in table {
        assert_eq!(chain.extends(&reference), expected);
    }
    assert_eq!(reference.extends(&chain(0)), Ok(3));
    let other = Chain::empty("other".parse().expect("an id"), Book::Main);
    assert!(matches!(reference.extends(&other), Err(NotExtended::Unrelated(_))));
    assert!(Chain::rebase(&reference, &other).is_err());
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_is_made_up(
        shared in 0..4_i64,
        theirs in proptest::collection::vec(0..4_u8, 0..6),
        mine in proptest::collection::vec(0..4_u8, 0..6),
    ) {
        let (base, ours) = (branch(shared, &theirs), branch(shared, &mine));
        let rebased = Chain::rebase(&base, &ours).expect("one grader");
        prop_assert!(rebased.chain.extends(&base).is_ok());
        let count = |chain: &Chain, text: &str| texts(chain).iter().filter(|it| **it == text).count();
        for text in texts(&rebased.chain) {
            let most = count(&base, text).max(count(&ours, text));
            prop_assert_eq!(count(&rebased.chain, text), most);
        }
        for text in texts(&ours) {
            prop_assert!(count(&rebased.chain, text) > 0);
        }
        let again = read(rebased.chain.text(), &rebased.chain.head()).expect("sound").chain;
        prop_assert_eq!(again, rebased.chain);
    }
}
