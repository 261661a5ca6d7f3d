//! The page in a real browser: it renders, filters, fits a phone, and nothing that a grader wrote runs.
//!
//! Needs Chromium, which `.ci/run` installs; without one these tests say so and pass, unless
//! `ACCREDIT_BROWSER=required`. No test waits for a time: the browser's clock is virtual.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use accredit_tests::bench::Bench;
use accredit_tests::guest::{Answer, Guest};
use accredit_tests::{fixture, shipped};

/// A browser that has not answered by then is stuck.
const LIMIT: Duration = Duration::from_secs(120);

/// Words that would run in a page that takes them for markup.
const HOSTILE: &str = "</pre></dd></title></style></script><script>document.title='owned'</script>\
    <img src=x onerror=\"document.title='owned'\"><svg onload=\"document.title='owned'\"></svg>\
    \" autofocus onfocus=\"document.title='owned'\" ' onmouseover='x' <!-- <meta http-equiv=refresh>";

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| {
            ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name))
        })
        .find(|program| program.is_file());
    if found.is_none() {
        let required = std::env::var_os("ACCREDIT_BROWSER").is_some_and(|it| it == "required");
        let what = "no browser: install the package `chromium` to test the page in one";
        assert!(!required, "{what}");
        eprintln!("skipped: {what}");
    }
    found
}

/// What came of a page in the browser: its elements as they stand in the end, and what its console says.
struct Seen {
    dom: String,
    console: String,
}

impl Seen {
    /// Opens a file of the bench; `fragment` is empty or begins with `#`.
    fn of(browser: &Path, bench: &Bench, file: &str, fragment: &str) -> Self {
        let address = format!("file://{}{fragment}", bench.path(file).display());
        let home = bench.path("browser");
        fs::create_dir_all(&home).expect("makes the folder");
        let mut child = Command::new(browser)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .arg("--hide-scrollbars")
            .args(["--allow-file-access-from-files", "--enable-logging=stderr"])
            .args(["--virtual-time-budget=10000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", home.display()))
            .arg(address)
            .env("HOME", &home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let (out, err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let console = text_of(err);
        let dom = text_of(out);
        let dom = within_limit(&dom, &mut child);
        let console = within_limit(&console, &mut child);
        child.wait().expect("the browser ends");
        assert!(dom.contains("<html"), "the browser shows nothing: {console}");
        Self { dom, console }
    }

    fn title(&self) -> &str {
        let (_, rest) = self.dom.split_once("<title>").expect("a title");
        rest.split_once("</title>").expect("its end").0
    }

    /// The controls that are seen, and those that are not.
    fn controls(&self) -> (Vec<&str>, Vec<&str>) {
        let articles = self.dom.split("<article ").skip(1);
        articles
            .map(|it| it.split_once('>').expect("a tag").0)
            .partition(|tag| !tag.contains("hidden"))
    }
}

/// Reads a stream to its end, beside this thread.
fn text_of(mut stream: impl std::io::Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        sender.send(String::from_utf8_lossy(&bytes).into_owned()).ok();
    });
    receiver
}

fn within_limit(text: &mpsc::Receiver<String>, child: &mut Child) -> String {
    text.recv_timeout(LIMIT).unwrap_or_else(|_| {
        child.kill().ok();
        panic!("the browser does not end")
    })
}

/// A page of the small set, judged by this grader.
fn page(grader: &[u8]) -> Bench {
    let bench = Bench::new();
    bench.write("g.wasm", grader);
    bench.copy(&fixture("small"), "set");
    let args = ["check", "g.wasm", "--controls", "set", "--format", "html", "-o", "page.html"];
    let run = bench.run(&args).exits(1);
    assert_eq!(run.stdout, "", "the page is in the file: {run:#?}");
    bench
}

fn lenient() -> Bench {
    page(&fs::read(shipped("lenient-answer")).expect("reads"))
}

#[test]
fn it_renders_and_its_own_script_runs() {
    let Some(browser) = browser() else { return };
    let seen = Seen::of(&browser, &lenient(), "page.html", "");
    assert!(seen.title().starts_with("lenient-answer: REFUSED"), "{}", seen.title());
    for text in ["Decision", "Bounds", "ad-instruction", "<svg", "kb-digits-inside"] {
        assert!(seen.dom.contains(text), "{text}");
    }
    let (seen_ones, hidden) = seen.controls();
    assert!(hidden.is_empty() && seen_ones.len() > 8, "{hidden:?}");
    assert!(seen.dom.contains("<form id=\"filter\">"), "the form is not shown");
    assert!(!seen.console.contains("Content Security Policy"), "{}", seen.console);
}

#[test]
fn it_filters_by_how_kind_rule_and_text() {
    let Some(browser) = browser() else { return };
    let bench = lenient();
    for (fragment, fits) in [
        ("#list=false+fail", "data-list=\"false fail\""),
        ("#kind=near-miss", "data-kind=\"near-miss\""),
        ("#rule=one-answer", "data-rule=\"one-answer\""),
        ("#kind=adversarial&text=EVERY%20candidate", "data-kind=\"adversarial\""),
    ] {
        let seen = Seen::of(&browser, &bench, "page.html", fragment);
        let (mut shown, hidden) = seen.controls();
        // Failures that are back stand before everything, in no filter.
        shown.retain(|tag| !tag.contains("data-list=\"failure\""));
        assert!(!shown.is_empty() && !hidden.is_empty(), "{fragment}: {shown:?} {hidden:?}");
        assert!(shown.iter().all(|tag| tag.contains(fits)), "{fragment}: {shown:?}");
        let count = format!("{} of {} shown", shown.len(), shown.len() + hidden.len());
        assert!(seen.dom.contains(&count), "{fragment}: not {count}");
    }
}

#[test]
fn nothing_that_a_grader_wrote_runs() {
    let Some(browser) = browser() else { return };
    let words = || HOSTILE.to_owned();
    let said = |answer| Guest {
        answer,
        writes: words(),
        author: words(),
        version: words(),
        ..Guest::default()
    };
    for answer in [Answer::Pass(words(), None), Answer::Refuse(words()), Answer::Trap] {
        let bench = page(&said(answer).build());
        let seen = Seen::of(&browser, &bench, "page.html", "");
        assert!(seen.title().starts_with("made-up: REFUSED"), "{}", seen.title());
        let tags = seen.dom.split('<').skip(1);
        let tags: Vec<_> = tags.map(|it| it.split_once('>').map_or(it, |(tag, _)| tag)).collect();
        for handler in [" onerror=", " onfocus=", " onload=", " onmouseover="] {
            assert!(!tags.iter().any(|tag| tag.contains(handler)), "{handler}");
        }
        let made = |tag: &&&str| tag.starts_with("img") || tag.contains("refresh");
        assert_eq!(tags.iter().find(made), None);
        assert_eq!(seen.dom.matches("<script").count(), 1);
        assert!(seen.dom.contains("&lt;script&gt;document.title"), "the words are not shown");
    }
}

/// A second wall: markup that got into the page all the same runs no script. Without the page's policy it
/// would, so the test can fail.
#[test]
fn the_policy_of_the_page_admits_no_other_script() {
    let Some(browser) = browser() else { return };
    let bench = lenient();
    let sound = bench.read("page.html");
    let injected = sound.replacen(
        "</main>",
        &format!("{}</main>", &HOSTILE[HOSTILE.find("<script>").unwrap_or(0)..]),
        1,
    );
    bench.write("injected.html", &injected);
    let seen = Seen::of(&browser, &bench, "injected.html", "");
    assert!(seen.title().starts_with("lenient-answer: REFUSED"), "{}", seen.title());
    assert!(seen.console.contains("Content Security Policy"), "{}", seen.console);
    bench.write("open.html", injected.replacen("Content-Security-Policy", "x-none", 1));
    assert_eq!(Seen::of(&browser, &bench, "open.html", "").title(), "owned");
}

/// A filter that fits nothing says so, and each heading says how many of its controls are left.
#[test]
fn a_filter_says_what_it_leaves() {
    let Some(browser) = browser() else { return };
    let bench = lenient();
    let seen = Seen::of(&browser, &bench, "page.html", "#text=no-control-says-this");
    assert!(seen.dom.contains("Nothing matches: 0 of "), "it does not say so");
    let seen = Seen::of(&browser, &bench, "page.html", "#rule=one-answer");
    assert!(seen.dom.contains(" of them shown</span>"), "no heading says how many are left");
    let seen = Seen::of(&browser, &bench, "page.html", "");
    assert!(!seen.dom.contains(" of them shown</span>"));
}

/// The page in a frame as wide as a phone and as a desk: nothing is wider than the frame.
#[test]
fn it_fits_a_phone_and_a_desk() {
    let Some(browser) = browser() else { return };
    let long = "long-".repeat(400);
    let guest = Guest {
        answer: Answer::Pass(long.clone(), None),
        version: long.clone(),
        author: long,
        ..Guest::default()
    };
    for bench in [lenient(), page(&guest.build())] {
        for width in [360, 390, 1280] {
            bench.write("frame.html", format!(
                "<title>waiting</title><iframe src=\"page.html\" width={width} height=800 \
                 style=\"border: 0\" onload=\"const page = this.contentDocument; document.title = \
                 [page.documentElement.scrollWidth, getComputedStyle(page.body).fontSize]\"></iframe>"
            ));
            let seen = Seen::of(&browser, &bench, "frame.html", "");
            assert_eq!(seen.title(), format!("{width},15px"));
        }
    }
}

/// Where the grader gives scores of outputs that people labelled, the page shows what they are worth.
#[test]
fn it_shows_what_scores_are_worth() {
    let Some(browser) = browser() else { return };
    let bench = Bench::new();
    let guest = Guest { answer: Answer::Pass("so it says".into(), Some(0.25)), ..Guest::default() };
    bench.write("g.wasm", guest.build());
    bench.copy(&fixture("small"), "set");
    let outputs = (0..60).map(|number| {
        let label = if number % 4 == 0 { "fail" } else { "pass" };
        format!(
            "{{\"id\": \"more-{number}\", \"task\": \"Add {number} and 1.\", \"output\": \"Answer: {number}\", \"human_label\": \"{label}\", \"labels\": [{{\"by\": \"one\", \"label\": \"{label}\"}}]}}\n"
        )
    });
    bench.write("more.jsonl", outputs.collect::<String>());
    let args = ["check", "g.wasm", "--controls", "set", "--real-output", "more.jsonl"];
    let run = bench.run(&[args.as_slice(), &["--format", "html", "-o", "page.html"]].concat());
    assert_eq!(run.exits(1).stdout, "");
    let seen = Seen::of(&browser, &bench, "page.html", "");
    for text in ["Brier", "Costs by threshold", "Agreement with people"] {
        assert!(seen.dom.contains(text), "{text}");
    }
}
