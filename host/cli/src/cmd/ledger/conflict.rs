//! A ledger after a merge: as it is, or both sides of a conflict.

use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Chain, Last};

use crate::failure::Failure;
use crate::store::{Files, LedgerFile};

/// The chains that the files hold: one, or one for each side of a conflict; with the last entry where there is
/// one chain and its head is in order.
pub(super) fn sides(
    file: &LedgerFile,
    name: &GraderName,
    book: Book,
) -> Result<(Option<Last>, Vec<Chain>), Failure> {
    let failure = match file.read() {
        Ok(reading) => return Ok((Some(reading.chain.last()), vec![reading.chain])),
        Err(failure) => failure,
    };
    let Files { lines, head } = file.files()?;
    let heads = head.as_deref().and_then(split);
    let read = |lines: Vec<u8>, head: &[u8]| {
        Chain::read(name.clone(), book, lines, Some(head)).map(|reading| reading.chain)
    };
    match (split(&lines), heads) {
        (Some(sides), heads) => {
            let chains = sides.into_iter().enumerate().map(|(side, lines)| match &heads {
                // Git has put the sides of both files in the same order.
                Some(heads) => read(lines, &heads[side]),
                None => Chain::read_whole(name.clone(), book, lines),
            });
            let chains = chains.collect::<Result<_, _>>();
            Ok((None, chains.map_err(|damage| beside(file, &damage))?))
        }
        (None, Some(heads)) => {
            let fits = heads.iter().find_map(|head| read(lines.clone(), head).ok());
            fits.map(|chain| (None, vec![chain])).ok_or(failure)
        }
        (None, None) => Err(failure),
    }
}

fn beside(file: &LedgerFile, damage: &accredit_core::ledger::Damage) -> Failure {
    Failure::Integrity(format!("{file}: on one side of the merge conflict, {damage}"))
}

/// The two sides of a file that git left marks of a conflict in; absent where there are none, or they are not
/// as git writes them.
fn split(bytes: &[u8]) -> Option<[Vec<u8>; 2]> {
    /// What a line is part of.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Part {
        Both,
        Ours,
        Before,
        Theirs,
    }
    let (mut sides, mut part, mut conflicts) = ([Vec::new(), Vec::new()], Part::Both, 0);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        part = match (mark(line), part) {
            (Some(b'<'), Part::Both) => {
                conflicts += 1;
                Part::Ours
            }
            (Some(b'|'), Part::Ours) => Part::Before,
            (Some(b'='), Part::Ours | Part::Before) => Part::Theirs,
            (Some(b'>'), Part::Theirs) => Part::Both,
            (Some(_), _) => return None,
            (None, part) => {
                if matches!(part, Part::Both | Part::Ours) {
                    sides[0].extend_from_slice(line);
                }
                if matches!(part, Part::Both | Part::Theirs) {
                    sides[1].extend_from_slice(line);
                }
                part
            }
        };
    }
    (conflicts > 0 && part == Part::Both).then_some(sides)
}

/// Which mark of a conflict the line is, if it is one: seven of a kind, then a space or the line's end.
fn mark(line: &[u8]) -> Option<u8> {
    let (mark, rest) = line.split_at_checked(7)?;
    let first = mark[0];
    let is_mark = b"<|=>".contains(&first) && mark.iter().all(|byte| *byte == first);
    (is_mark && matches!(rest.first(), None | Some(b' ' | b'\n' | b'\r'))).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn what_git_writes_is_taken_apart() {
        let sides = |text: &str| {
            split(text.as_bytes())
                .map(|sides| sides.map(|side| String::from_utf8_lossy(&side).into_owned()))
        };
        let both = |ours: &str, theirs: &str| Some([ours.to_owned(), theirs.to_owned()]);
        let table = [
            (
                "a\n<<<<<<< HEAD\nb\n=======\nc\nd\n>>>>>>> main\ne\n",
                both("a\nb\ne\n", "a\nc\nd\ne\n"),
            ),
            ("<<<<<<< a\nb\n||||||| c\nx\n=======\n>>>>>>> d\n", both("b\n", "")),
            ("a\nb\n", None),
            ("", None),
            ("<<<<<<< a\nb\n=======\nc\n", None),
            ("=======\n", None),
            ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", None),
            ("<<<<<<<a\nb\n", None),
        ];
        for (text, expected) in table {
            assert_eq!(sides(text), expected, "{text:?}");
        }
    }
}
