//! Outputs without a marker.

use crate::table::check;

#[test]
fn blanks_refusals_questions_and_fragments_fail() {
    check(&[
        ("", "42", "FNN"),
        (" \n\t\u{200B}", "42", "FNN"),
        ("I can't answer that.", "42", "FNN"),
        ("I cannot give 42 as the total.", "42", "FNN"),
        ("I’m not able to say whether 6*7 = 42.", "42", "FNN"),
        ("I decline. 42.", "42", "FNN"),
        ("I don't know.", "Paris", "FNN"),
        ("I won't do that. The total is 42.", "42", "FNN"),
        ("I can't believe it, the total is 42.", "42", "UUU"),
        ("He said \"I can't\". The total is 42.", "42", "PPP"),
        ("Is it 42?", "42", "FNN"),
        ("The total is 42. Shall I go on?", "42", "FNN"),
        ("6 * 7 =", "42", "FNN"),
        ("The total is 40 +", "40", "FNN"),
        ("So we get 42 **×**", "42", "FNN"),
        ("Here is the total of 42:", "42", "FNN"),
    ]);
}

#[test]
fn the_closing_statement_commits_to_its_number() {
    check(&[
        ("The total is 42.", "42", "PPP"),
        ("Natalia sold 72 clips altogether.", "72", "PPP"),
        ("The total is 41.", "42", "PPF"),
        ("First 40. Then 2. The total is 42.", "42", "PPP"),
        ("40 + 2 = 42", "42", "PPP"),
        ("x = 40 + 2 = 42 for 7 people.", "42", "PPP"),
        ("It is 14, not 12.", "14", "PPP"),
        ("It is 14, not 12.", "12", "PPF"),
        ("It isn't 12.", "12", "UUU"),
        ("It is 12 rather than 14.", "12", "PPP"),
        ("The total is 42", "42", "UUU"),
        ("The total is forty-two.", "42", "UUU"),
        ("The total is 42. I hope this helps!", "42", "UUU"),
        ("42", "42", "PPP"),
        ("42.", "42", "PPP"),
        ("**42**", "42", "PPP"),
        ("$42$", "42", "PPP"),
        ("41", "42", "PPF"),
        ("It costs \\$20.", "20", "PPP"),
        ("It was 15 before; now it costs \\$20.", "20", "PUU"),
        ("Out of 50, it is 42.", "13", "PUF"),
        ("I will divide by 7.", "7", "UUU"),
        ("Then divide by 7.", "7", "UUU"),
        ("It might be 42.", "42", "UUU"),
        ("The 3rd result is 42.", "42", "PPP"),
        ("Out of 50 people,\nthe total is 42.", "42", "PUU"),
        ("```\n42\n```", "42", "UUU"),
        ("The total is 42.\n> 41", "42", "UUU"),
        ("The total is 42!", "42", "PPP"),
    ]);
}

#[test]
fn several_numbers_are_a_choice_or_unproven() {
    check(&[
        ("It is 41 or 42.", "42", "PFP"),
        ("It is 41 or 42.", "41", "PFF"),
        ("It is either 41 or 42.", "42", "PFP"),
        ("It is 41 / 42.", "42", "PFP"),
        ("It is 41 (70%) or 42 (30%).", "41", "PFF"),
        ("It is 41 (70%) or 42 (30%).", "42", "PFU"),
        ("41 with 70% and 42 with 30% probability.", "42", "PFU"),
        ("The options are 41, 42, 43.", "43", "PFP"),
        ("The options are 41, 42 and 43.", "42", "PFF"),
        ("- 41\n- 42\n- 43", "43", "PFP"),
        ("We add 41 to get 42.", "42", "UUU"),
        ("The 41 boxes hold 42.", "42", "PUU"),
        ("It is 180+15, or 195.", "195", "PPP"),
        ("It is 195, or 180+15.", "195", "PPP"),
        ("It is 180+15, or 196.", "196", "PFP"),
        ("It is 42 or 42.0.", "42", "PPP"),
        ("x = 2 or x = 3.", "3", "PFP"),
        ("x = 2 or x = 3", "x = 2 or x = 3", "PPP"),
        ("20% of 210 is 42.", "42", "PUU"),
    ]);
}

#[test]
fn a_text_must_be_the_last_line() {
    check(&[
        ("Paris", "Paris", "PPP"),
        ("Let me think.\nParis.", "Paris", "PPP"),
        ("**paris**", "Paris", "PPP"),
        ("It is Paris.", "Paris", "UUU"),
        ("London", "Paris", "UUU"),
        ("London", "", "UUU"),
        ("Paris, London, Rome", "Paris", "PFF"),
        ("Paris, London and Rome.", "Paris", "PFF"),
        ("red, white and blue", "red, white and blue", "PPP"),
        ("Paris or London", "Paris", "PFF"),
        ("Paris or London", "", "PFF"),
        ("to be or not to be", "Hamlet", "UUU"),
        ("- London\n- Rome\n- Paris", "Paris", "PFF"),
        ("The total is 42.", "", "UUU"),
        ("Yes, Paris, the capital", "Paris", "UUU"),
    ]);
}
