//! Every byte changed, every place cut: what the head acknowledged is there, or it is damage.

use super::*;

const ENTRIES: i64 = 20;

/// The eight ways to flip one bit.
fn bits() -> impl Iterator<Item = u8> {
    (0..8).map(|bit| 1 << bit)
}

/// The entry whose line, with its end, holds this byte.
fn entry_at(text: &str, byte: usize) -> u64 {
    text.as_bytes()[..byte].iter().filter(|byte| **byte == b'\n').count() as u64 + 1
}

#[test]
fn every_flip_in_a_ledger_is_damage_and_names_the_entry() {
    let chain = chain(ENTRIES);
    let (head, text) = (chain.head(), chain.text());
    let mut bytes = text.as_bytes().to_vec();
    for place in 0..bytes.len() {
        for bit in bits() {
            bytes[place] ^= bit;
            let damage = read(bytes.clone(), &head).expect_err("a changed byte");
            assert_eq!(damage.entry(), Some(entry_at(text, place)), "byte {place}: {damage}");
            bytes[place] ^= bit;
        }
    }
}

#[test]
fn every_cut_of_a_ledger_is_damage() {
    let chain = chain(ENTRIES);
    for length in 0..chain.text().len() {
        let cut = read(&chain.text()[..length], &chain.head());
        assert!(cut.is_err(), "cut to {length} bytes");
    }
}

#[test]
fn every_byte_of_the_head_counts() {
    let chain = chain(ENTRIES);
    let sound = chain.head().to_line().into_bytes();
    let with = |head: &[u8]| {
        Chain::read(grader(), Book::Main, chain.text().as_bytes().to_vec(), Some(head))
    };
    assert!(with(&sound).is_ok());
    let mut head = sound.clone();
    for place in 0..head.len() {
        for bit in bits() {
            head[place] ^= bit;
            assert!(with(&head).is_err(), "{}", String::from_utf8_lossy(&head));
            head[place] ^= bit;
        }
        assert!(with(&sound[..place]).is_err(), "cut to {place} bytes");
    }
    assert!(with(&[sound.as_slice(), b" "].concat()).is_err());
    let upper = String::from_utf8_lossy(&sound).replace(['a', 'b', 'c'], "A");
    assert!(with(upper.as_bytes()).is_err());
}

/// With a head that is behind: whatever happens beyond it, what it acknowledged is there.
#[test]
fn a_tail_never_costs_an_acknowledged_entry() {
    let (whole, acknowledged) = (chain(6), chain(4));
    let head = acknowledged.head();
    let beyond = acknowledged.text().len();
    let mut bytes = whole.text().as_bytes().to_vec();
    for place in 0..bytes.len() {
        for bit in bits() {
            bytes[place] ^= bit;
            match read(bytes.clone(), &head) {
                Ok(reading) => {
                    assert!(place >= beyond);
                    assert!(reading.chain.extends(&acknowledged).is_ok(), "byte {place}");
                }
                Err(damage) => assert!(damage.entry().is_some(), "byte {place}: {damage}"),
            }
            bytes[place] ^= bit;
        }
    }
}

#[test]
fn a_stopped_write_is_mended() {
    let (whole, acknowledged) = (chain(5), chain(4));
    let beyond = acknowledged.text().len();
    for length in beyond..=whole.text().len() {
        let reading = read(&whole.text()[..length], &acknowledged.head()).expect("a torn tail");
        let (adopted, torn) =
            if length == whole.text().len() { (1, 0) } else { (0, length - beyond) };
        assert_eq!(reading.tail, Tail { adopted, torn, replacement: None });
        assert_eq!(reading.chain, chain(4 + i64::try_from(adopted).expect("one")));
    }
    // What a file system may leave of a write when the power fails.
    for torn in [vec![0; 300], [vec![0; 300], b"}\n".to_vec()].concat(), vec![0xff, b'\n']] {
        let bytes = [acknowledged.text().as_bytes(), &torn].concat();
        let reading = read(bytes, &acknowledged.head()).expect("a torn tail");
        assert_eq!((reading.chain, reading.tail.torn), (acknowledged.clone(), torn.len()));
    }
}

#[test]
fn what_is_beyond_the_head_and_does_not_chain_is_damage() {
    let acknowledged = chain(4);
    let stranger = {
        let mut other = chain(3);
        other.append(&noted("other").to_json(), &[], at(3)).expect("sound");
        other.append(&noted("other").to_json(), &[], at(4)).expect("sound");
        other.entry(5).expect("an entry").line().to_owned() + "\n"
    };
    let damage = read(acknowledged.text().to_owned() + &stranger, &acknowledged.head());
    assert_eq!(damage, Err(Damage::Entry { entry: 5, fault: EntryFault::Link }));
    let between = [acknowledged.text(), "torn\n", &stranger].concat();
    assert_eq!(read(between, &acknowledged.head()).expect_err("damage").entry(), Some(5));
}

#[test]
fn damage_says_what_to_do() {
    let chain = chain(3);
    let converted = chain.text().replace('\n', "\r\n");
    let conflict = format!("{}<<<<<<< ours\n", chain.text());
    let headless = Chain::read(grader(), Book::Main, conflict.clone().into(), None);
    let table = [
        (read(converted, &chain.head()), "entry 1 (line 1): its line ends in CR LF"),
        (Chain::read_whole(grader(), Book::Main, conflict.into()).map(clean), "merge conflict"),
        (headless, "its .head file is missing"),
        (
            read(chain.entry(1).expect("an entry").line().to_owned() + "\n", &chain.head()),
            "cut off",
        ),
    ];
    for (damage, told) in table {
        let damage = damage.expect_err(told).to_string();
        assert!(damage.contains(told), "{damage}");
    }
}

fn clean(chain: Chain) -> Reading {
    Reading { chain, tail: Tail::default() }
}

#[test]
fn other_graders_ledgers_are_no_ledger_of_this_one() {
    let chain = chain(2);
    let other: GraderName = "other".parse().expect("an id");
    let head = chain.head().to_line();
    let swapped = Chain::read(other, Book::Main, chain.text().into(), Some(head.as_bytes()));
    assert_eq!(swapped.expect_err("not its ledger").entry(), Some(1));
}

/// While a ledger is replaced, the old or the new one may be there, and nothing else.
#[test]
fn a_replacement_that_was_stopped() {
    let (old, new) = (chain(3), Chain::rebase(&rival(), &chain(3)).expect("one grader").chain);
    let head = Head { replaces: Some(old.last()), ..new.head() };
    let found = |chain: &Chain| read(chain.text(), &head).expect("one of the two");
    assert_eq!(found(&old).tail.replacement, Some(Replacement::Undone));
    assert_eq!(found(&new).tail.replacement, Some(Replacement::Done));
    assert_eq!(found(&new).chain, new);
    for other in [chain(2), chain(4), rival()] {
        let fault = read(other.text(), &head).expect_err("neither");
        assert_eq!(fault, Damage::Head(HeadFault::Replacing));
    }
}

fn rival() -> Chain {
    let mut rival = chain(2);
    rival.append(&noted("rival").to_json(), &[], at(9)).expect("sound");
    rival
}
