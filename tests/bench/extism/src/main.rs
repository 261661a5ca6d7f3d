//! Times an Extism plugin against the same function called natively: `accredit-bench-extism PLUGIN.wasm
//! ROUNDS` prints one line, as the program beside it does.

#[expect(dead_code, reason = "the program beside this one uses the rest")]
#[path = "../../speed/clock.rs"]
mod clock;
#[path = "../../speed/text.rs"]
mod text;

use std::hint::black_box;

use clock::{Against, Clock};
use extism::{CompiledPlugin, Manifest, Plugin, PluginBuilder, Wasm};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let plugin = arguments.next().expect("the plugin's file");
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(15);
    let manifest = Manifest::new([Wasm::data(std::fs::read(plugin).expect("the plugin can be read"))]);
    let compiled = CompiledPlugin::new(PluginBuilder::new(manifest)).expect("a plugin");
    let native_case = text::native_case(200);
    let case = text::case(200);
    let input = serde_json::json!({ "output": case.output, "reference": case.reference });
    let input = input.to_string();
    let against = Against::measure(
        rounds,
        Clock::Thread,
        || drop(black_box((cheap_answer::GRADER.grade)(black_box(&native_case)))),
        || {
            let mut fresh = Plugin::new_from_compiled(&compiled).expect("a fresh plugin");
            let answer = fresh.call::<&str, String>("grade", &input).expect("an answer");
            assert!(answer.contains("Pass"), "{answer}");
        },
    );
    let Against { base_ns, ns, ratio } = &against;
    clock::print("extism", &[("ratio", ratio), ("ns", ns), ("native-ns", base_ns)]);
}
