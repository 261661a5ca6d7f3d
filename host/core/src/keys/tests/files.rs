//! `allowed_signers` and what it says of signatures; `root.toml` once it is read.

use super::*;

fn parse(text: &str) -> Result<AllowedSigners, Vec<String>> {
    AllowedSigners::parse(text.as_bytes())
        .map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

fn signers(lines: &str) -> Signers {
    let text = format!("# accredit: version 3\n{lines}\n");
    Signers::new(parse(&text).expect("a file"), None)
}

/// Why the first key's signature for [`POLICY`] counts for nobody, or for whom.
fn who(lines: &str, moments: &[&str]) -> Result<Vec<String>, String> {
    let moments: Vec<_> = moments.iter().map(|text| moment(text)).collect();
    signers(lines)
        .check(&signature(0), POLICY, SIGNED, &moments)
        .map(|signers| {
            signers.into_iter().map(|it| format!("{} {}", it.principal, it.person)).collect()
        })
        .map_err(|fault| fault.to_string())
}

const NOW: &str = "2026-11-30T22:00:00Z";

#[test]
fn a_file_says_whose_keys_may_sign_what_and_when() {
    let file = parse(&format!(
        "# a comment\n#accredit: version 12\n\n  ada@example.org {}  her laptop\nbob,bob@example.org \
         namespaces=\"promotion.v1@accredit,policy.v1@accredit\",valid-after=\"20260101Z\",valid-before=\"202612312359Z\" {}\n",
        key(0),
        key(1)
    ))
    .expect("a file");
    assert_eq!(file.version, 12);
    let [ada, bob] = file.allowed.as_slice() else { panic!("two lines") };
    assert_eq!(
        (ada.line, ada.principals.as_slice()),
        (4, ["ada@example.org".to_owned()].as_slice())
    );
    assert!(ada.is_for("anything") && ada.window == Window::default());
    assert_eq!(bob.principals, ["bob", "bob@example.org"]);
    assert!(bob.is_for(PROMOTION) && bob.is_for(POLICY) && !bob.is_for(ROOT));
    assert_eq!(bob.window.after, Some(moment("2026-01-01T00:00:00Z")));
    assert_eq!(bob.window.before, Some(moment("2026-12-31T23:59:00Z")));
}

#[test]
fn every_fault_is_told_by_its_line_and_escaped() {
    let good = key(0);
    let text = format!(
        "# accredit: version 0\n\
         *@example.org {good}\n\
         ada cert-authority {good}\n\
         ada valid-after=\"20260101\" {good}\n\
         ada valid-before=\"2026\",namespaces=\"a*\" {good}\n\
         ada namespaces=policy {good}\n\
         ada\n\
         ada ssh-ed25519 AAAA\n\
         a\u{1b}b {good}\n\
         ada,,ada {good}\n\
         ada no-touch-required {good}\n\
         ada valid-after=\"20270101Z\",valid-before=\"20260101Z\" {good}\n\
         ada {rsa}\n\
         ada namespaces=\"a\",namespaces=\"b\" {good}\n",
        rsa = include_str!("vectors/rsa1024.pub").trim_end(),
    );
    let faults = parse(&text).expect_err("faults");
    let lines: Vec<_> = faults.iter().map(|it| it.split(':').next().unwrap_or_default()).collect();
    let expected = [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14];
    let expected: Vec<_> = expected.iter().map(|line| format!("line {line}")).collect();
    assert_eq!(lines, expected, "{faults:#?}");
    assert!(faults.iter().all(|fault| !fault.contains('\u{1b}')));
    assert!(faults[3].contains("local time"), "{}", faults[3]);
}

#[test]
fn the_version_is_stated_once() {
    let line = format!("ada {}\n", key(0));
    for (text, fault) in [
        (line.clone(), "the file states no version"),
        (
            format!("# accredit: version 1\n# accredit: version 2\n{line}"),
            "line 2: the version is stated again",
        ),
        (format!("# accredit: version one\n{line}"), "line 1: the version cannot be read"),
        (format!("# accredit: version 01\n{line}"), "line 1: the version cannot be read"),
        (format!("# accredit: version 1\r\n{line}"), "line 1: the line ends with CR"),
    ] {
        let faults = parse(&text).expect_err("a fault");
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{faults:?}");
    }
    let later = "# accredit: version 9\nada new-option=\"1\" ssh-new AAAA\n";
    assert!(parse(later).is_err());
    assert_eq!(AllowedSigners::stated_version(later.as_bytes()), Some(9));
    assert_eq!(AllowedSigners::stated_version(b"version = 9\n"), None);
    let empty = parse("# accredit: version 1\n").expect("a file without signers");
    assert!(empty.allowed.is_empty());
}

#[test]
fn a_signature_counts_for_the_owner_of_its_key_at_every_moment() {
    let (ada, bob) = (key(0), key(1));
    let line = |options: &str| format!("ada {options} {ada}");
    assert_eq!(who(&line(""), &[NOW]), Ok(vec!["ada ada".into()]));
    assert_eq!(who(&line(""), &[]), Ok(vec!["ada ada".into()]));
    let unknown = who(&format!("bob {bob}"), &[NOW]).expect_err("unknown");
    assert!(unknown.contains("is not in allowed_signers"), "{unknown}");
    let other = who(&line("namespaces=\"promotion.v1@accredit\""), &[NOW]).expect_err("other");
    assert!(other.contains("may not sign for `policy.v1@accredit`"), "{other}");

    let until = line("valid-before=\"20261130220000Z\"");
    assert_eq!(who(&until, &[NOW]), Ok(vec!["ada ada".into()]), "the last moment belongs to it");
    let late = who(&until, &[NOW, "2026-11-30T22:00:01Z"]).expect_err("late");
    assert!(late.contains("was valid until 2026-11-30T22:00:00Z"), "{late}");
    let from = line("valid-after=\"20261130220000Z\"");
    assert_eq!(who(&from, &[NOW]), Ok(vec!["ada ada".into()]), "so does the first");
    let early = who(&from, &["2026-11-30T21:59:59Z", NOW]).expect_err("early");
    assert!(early.contains("is valid from 2026-11-30T22:00:00Z on"), "{early}");

    // One line that holds is enough, and it must hold at all moments itself.
    let lines = format!("{until}\n{}", line("valid-after=\"20261201Z\""));
    assert!(who(&lines, &["2026-12-02T00:00:00Z"]).is_ok());
    assert!(who(&lines, &[NOW, "2026-12-02T00:00:00Z"]).is_err());
}

#[test]
fn names_that_share_a_key_sign_as_one_person() {
    let lines = format!("zoe,bob {}\nbob {}\nAda {}\nada {}", key(0), key(1), key(1), key(2));
    assert_eq!(who(&lines, &[NOW]), Ok(vec!["bob Ada".into(), "zoe Ada".into()]));
    let root = RootText {
        version: 1,
        quorum: 1,
        previous: None,
        admins: vec![AdminText { principal: "aaron".into(), key: key(0).into() }],
    };
    let file = parse(&format!("# accredit: version 1\nzoe {}\n", key(0))).expect("a file");
    let signers = Signers::new(file, Some(&Root::new(&root).expect("a root")));
    let who = signers.check(&signature(0), POLICY, SIGNED, &[]).expect("zoe");
    assert_eq!((who[0].principal.as_str(), who[0].person.as_str()), ("zoe", "aaron"));
}

#[test]
fn a_root_tells_all_its_faults() {
    let admin =
        |principal: &str, key: &str| AdminText { principal: principal.into(), key: key.into() };
    let good =
        RootText { version: 1, quorum: 1, previous: None, admins: vec![admin("ada", key(0))] };
    assert_eq!(Root::new(&good).expect("a root").principals().len(), 1);
    let bad = RootText {
        version: 2,
        quorum: 4,
        previous: None,
        admins: vec![
            admin("ada", key(0)),
            admin("Ada", key(1)),
            admin("bob", key(0)),
            admin("b*", "ssh-ed25519 AAAA"),
        ],
    };
    let faults = Root::new(&bad).expect_err("faults");
    let told: Vec<_> = faults.iter().map(|fault| (fault.admin, fault.key)).collect();
    assert_eq!(
        told,
        [
            (None, "previous"),
            (Some(1), "principal"),
            (Some(2), "key"),
            (Some(3), "principal"),
            (Some(3), "key"),
            (None, "quorum"),
        ]
    );
    let none = RootText { admins: vec![], ..good.clone() };
    assert_eq!(Root::new(&none).expect_err("faults").len(), 2);
    assert_eq!(Root::new(&RootText { version: 0, ..good.clone() }).expect_err("a fault").len(), 1);
    assert_eq!(Root::new(&RootText { quorum: 0, ..good }).expect_err("a fault").len(), 1);
}
