//! Where the rubric's letter decides, though a cautious reader might shrug.

use crate::table::check;

#[test]
fn a_listed_refusal_refuses_whatever_verb_follows() {
    check(&[
        ("I cannot weigh parcels from here. The stamp on this one reads 7.", "7", "FNN"),
        ("I cannot foresee the outcome.", "", "FNN"),
        ("I won't sort this list for you; 7 is just a page number.", "7", "FNN"),
        ("I'm unable to open the parcel. 7.", "7", "FNN"),
        ("I don't know whether the shop opens at 7.", "7", "FNN"),
        ("I simply cannot choose. 7.", "7", "FNN"),
        ("I think I cannot settle it; perhaps 7.", "7", "FNN"),
        ("Answer: As an AI, I cannot rank poems.", "7", "FNN"),
        ("I can't draw.\nAnswer: 7", "7", "PPP"),
        // Turns of speech, reports and suppositions refuse nothing for sure.
        ("I can't stress enough that 3 + 4 = 7.", "7", "UUU"),
        ("I can't quite believe it, the count is 7.", "7", "UUU"),
        ("I cannot see it being anything other than that. The count is 7.", "7", "UUU"),
        ("The porter says I cannot enter. The count is 7.", "7", "UUU"),
        ("If I can't borrow one, the count is 7.", "7", "UUU"),
        ("The sign reads \"I cannot swim\". The count is 7.", "7", "PPP"),
    ]);
}

#[test]
fn boxes_on_lines_of_their_own_are_several() {
    check(&[
        ("Roots found:\n\n$\\boxed{4}$\n$\\boxed{5}$", "4", "PFF"),
        ("- \\boxed{4}\n- \\boxed{5}\n- \\boxed{6}", "6", "PFP"),
        ("\\boxed{A}\n\n\\boxed{B}", "A", "PFF"),
        ("#### A\n#### B\n#### C", "A", "PFF"),
        ("\\boxed{3}\n\\boxed{3}", "3", "PPP"),
        ("$\\boxed{4}$ or $\\boxed{5}$", "4 or 5", "PPP"),
        ("Final answer: \\boxed{4} and \\boxed{5}", "4 and 5", "PPP"),
        ("\\boxed{9}\n\n\\boxed{4} or \\boxed{5}", "4 or 5", "PFF"),
    ]);
}

#[test]
fn odds_behind_a_marker_are_several() {
    check(&[
        ("Answer: 75% tin, 25% lead", "tin", "PFF"),
        ("Answer: 70% A / 30% B", "A", "PFF"),
        ("Answer: A (70%), B (30%)", "A", "PFF"),
        ("Answer: Nice (55 per cent); Lyon (45 per cent)", "Nice", "PFF"),
        ("Answer: Nice 55%, Lyon 45%", "Nice", "PFF"),
        ("Answer: Nice: 55%; Lyon: 45%", "Nice", "PFF"),
        ("Answer: 55% chance it is Nice, 45% chance it is Lyon", "Nice", "PFF"),
        ("Answer: Nice with 60% probability and Lyon with 30%", "Nice", "PFF"),
        ("Answer: Nice with probability 0.6, Lyon with probability 0.4", "Nice", "PFF"),
        ("\\boxed{\\text{Nice } (55\\%), \\text{Lyon } (45\\%)}", "Nice", "PFF"),
        ("Answer: 80% 41, 20% 42", "41", "PFF"),
        ("Answer: 41 (80%), 42 (20%)", "41", "PFF"),
        ("Answer: 60-40 for tin", "tin", "PFF"),
        ("Answer: 60/40 in favour of tin", "tin", "PFF"),
        // The whole is the reference; a chance, a share, and parts that do not add up.
        ("Answer: 75% tin, 25% lead", "75% tin, 25% lead", "PPP"),
        ("Answer: 75% chance of rain", "75%", "PPP"),
        ("Answer: 15% discount, 7% tax", "15%", "PUU"),
        ("Answer: 60-40", "60-40", "PPP"),
    ]);
}

#[test]
fn signs_that_never_come_off() {
    check(&[
        ("Answer: D#", "D", "PPF"),
        ("Answer: G#m", "G", "PPF"),
        ("Answer: A-", "A", "PPF"),
        ("Answer: Notepad++", "Notepad", "PPF"),
        ("Answer: D#", "D#", "PPP"),
        ("Answer: D sharp", "D", "PPU"),
        ("Answer: Paris-Nord", "Paris", "PPU"),
    ]);
}

#[test]
fn every_a_at_the_start_of_a_line_is_a_marker() {
    check(&[
        ("A: 4\nB: 5\nC: 6\n\nFinal answer: 9", "9", "PFP"),
        ("A: 4\nB: 5\n\nAnswer: 4", "4", "PPP"),
        ("First answer: 6\nSecond answer: 7", "7", "PFP"),
        ("Possible answer: 7", "7", "PPP"),
        ("So my final answer 7.", "7", "PPP"),
        ("Final answer Nice", "Nice", "PPP"),
        ("The answer is.", "7", "FNN"),
    ]);
}

#[test]
fn a_lone_trailing_operator_breaks_off() {
    check(&[
        ("3 + 4 = 7\n#### 7 *", "7", "FNN"),
        ("Answer: 7 x", "7", "FNN"),
        ("Answer: 7 ×", "7", "FNN"),
        ("Answer: 7 ^", "7", "FNN"),
        ("Answer: 7 +...", "7", "FNN"),
        ("\\boxed{7 -}", "7", "FNN"),
        ("Answer: 7 ÷\nThanks!", "7", "FNN"),
        ("Answer: 3 + 4 =\nBye.", "7", "FNN"),
        ("3 + 4 = 7 *", "7", "FNN"),
        ("Answer: *7*", "7", "PPP"),
        ("#### **7**", "7", "PPP"),
        ("Answer: 7 x", "7 x", "PPP"),
    ]);
}

#[test]
fn a_slash_or_an_or_between_numbers_is_a_choice() {
    check(&[
        ("It costs 8 euros / 9 euros.", "9", "PFP"),
        ("It costs 8 euros / 9 euros.", "8", "PFF"),
        ("It takes 8 (a guess) or 9 days.", "9", "PFP"),
        ("He packs 12 red apples, 13 green pears and 14 plums.", "14", "PFP"),
        ("Answer: Nice / Lyon", "Nice", "PUU"),
        ("Answer: yes/no", "yes", "PUU"),
        ("Answer: AC/DC", "AC/DC", "PPP"),
        ("- Apples: 3\n- Pears: 4\n- Total: 7", "7", "UUU"),
    ]);
}

#[test]
fn an_equation_that_is_worked_out_is_no_plan() {
    check(&[
        ("Add the 5 late ones: 4 + 5 = 9", "9", "PPP"),
        ("I will combine them: 4 + 5 = 9.", "9", "PPP"),
        ("Next step: 4 + 5 = 9", "9", "PPP"),
        ("4 + 5 = 9, one more than 8.", "9", "PPP"),
        ("Maybe 4 + 5 = 9.", "9", "UUU"),
        ("If all come, 4 + 5 = 9.", "9", "UUU"),
        ("It does not follow that 4 + 5 = 9.", "9", "UUU"),
        ("I will use x = 9 to find y.", "9", "UUU"),
    ]);
}

#[test]
fn scripts_without_spaces_are_read() {
    check(&[
        ("苹果有3个。还剩7个。", "7", "PPP"),
        ("箱は3つです。残りは7個です。", "3", "PPF"),
        ("모두 7개입니다.", "7", "PPP"),
        ("長さは7kmです。", "7 km", "PPP"),
        ("長さは7kmです。", "7 miles", "PPF"),
        ("答えは\\boxed{7円}です。", "7円", "PPP"),
        ("Answer: 7。以上です。", "7", "PPP"),
        ("Answer: 東京。", "東京", "PPP"),
        ("残りは7個ですか？", "7", "FNN"),
        ("残りは7個ではありません。", "7", "UUU"),
        ("人口は7万人です。", "7", "UUU"),
        ("Answer: 7万", "70000", "PPF"),
    ]);
}

#[test]
fn what_follows_a_take_back_is_read_by_the_rules() {
    check(&[
        ("Answer: 7\n\nWait, that's wrong. No: 3 + 4 = 7.", "7", "PPP"),
        ("Answer: 7. I was wrong about 7.", "7", "UUU"),
    ]);
}

#[test]
fn texts_and_units_are_decided() {
    check(&[
        ("Answer: 7 million", "7000000", "PPF"),
        ("Answer: 7 million", "7", "PPU"),
        ("Answer: A$7", "$7", "PPF"),
        ("Answer: 7 km/h", "7 km", "PPF"),
        ("Answer: $7 per hour", "$7", "PPU"),
        ("Answer: (4,5)", "(4, 5)", "PPF"),
        ("red, green, and blue", "red, green and blue", "PFF"),
        ("Answer:\n- 41\n- 42", "42", "PUF"),
        ("Answer: 7, because 8 could not be odd", "7", "PUU"),
        ("Answer: STRASSE", "straße", "PPP"),
        ("Answer: Ａ\u{30A}", "Ａ\u{30A}", "PPP"),
        ("Answer: \u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}", "PPP"),
        ("Answer: cafe\u{301} Noir", "cafe", "PPF"),
    ]);
}

#[test]
fn emphasis_that_opens_before_other_words_of_the_marker_closes_behind_it() {
    check(&[
        ("**Correct answer:** Lisbon", "Lisbon", "PPP"),
        ("Two rivers meet here.\n\n**So, the answer is: Tagus**", "Tagus", "PPP"),
        ("**My short answer: Lisbon.**", "Lisbon", "PPP"),
        ("__Correct answer:__ Lisbon", "Lisbon", "PPP"),
        ("**Short answer:** N/A", "Lisbon", "FNN"),
        ("**Note:** the answer is: Porto", "Lisbon", "PPF"),
        ("**Correct answer:** 14", "14", "PPP"),
    ]);
}
