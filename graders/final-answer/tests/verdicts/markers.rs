//! What stands behind a marker, and which marker counts.

use crate::table::check;

#[test]
fn each_marker_is_read() {
    check(&[
        ("Answer: 42", "42", "PPP"),
        ("answer : 42", "42", "PPP"),
        ("ANSWER: 41", "42", "PPF"),
        ("**Answer:** 42", "42", "PPP"),
        ("**Answer**: 42", "42", "PPP"),
        ("**Answer: 42**", "42", "PPP"),
        ("**Answer: \\$18 per day.**", "18", "PPP"),
        ("_Answer: 42._", "42", "PPP"),
        ("A: 42", "42", "PPP"),
        ("  **A:** 42", "42", "PPP"),
        ("Vitamin A: 42", "42", "UUU"),
        ("Final answer 42", "42", "PPP"),
        ("Final answer: Paris", "Paris", "PPP"),
        ("My final answer is Paris.", "Paris", "PPP"),
        ("## Final Answer\n\n42", "42", "PPP"),
        ("### Final answer\nParis", "Paris", "PPP"),
        ("So the answer is 42.", "42", "PPP"),
        ("The answer is: **42**", "42", "PPP"),
        ("The **answer** is\n42", "42", "PPP"),
        ("so the\nanswer is 42.", "42", "PPP"),
        ("Some work.\n#### 42", "42", "PPP"),
        ("6*7=42 #### 42", "42", "PPP"),
        ("####\n42", "42", "PPP"),
        ("Work.\n#### Paris", "Paris", "PPP"),
        ("Thus \\boxed{42}", "42", "PPP"),
        ("$$\\boxed{\\frac{3}{4}}$$", "0.75", "PPP"),
        ("There are $\\boxed{2}$ such lines.", "2", "PPP"),
        ("Summing gives 17. Final: \\[ \\boxed{17} \\]", "17", "PPP"),
        ("\\boxed{\\text{Paris}}", "paris", "PPP"),
        ("\\boxed{\\boxed{7}}", "7", "PPP"),
        ("\\BOXED {7}", "7", "PPP"),
    ]);
}

#[test]
fn a_hash_heading_is_no_marker() {
    check(&[
        ("#### Step 1\nWe add.\n\nAnswer: 42", "42", "PPP"),
        ("Answer: 42\n\n#### Explanation\nWe add 40 and 2.", "42", "PPP"),
        ("#### Paris\nIt is the capital.", "Paris", "UUU"),
        ("##### 42", "42", "UUU"),
        ("### 42\nAnswer: 5", "5", "PPP"),
    ]);
}

#[test]
fn the_rest_of_the_line_or_the_next_line_is_read() {
    check(&[
        ("Answer: 42. It was 41 before.", "42", "PPP"),
        ("Answer: 42. It was 41 before.", "41", "PPF"),
        ("Answer:\n\n42\nMore words with 7.", "42", "PPP"),
        ("Answer:\n$$\n42\n$$", "42", "PPP"),
        ("Answer:\n```\n42\n```", "42", "PPP"),
        ("**Final answer:**\n\n**42**", "42", "PPP"),
        ("Final answer:\n> Paris", "Paris", "PPP"),
        ("Answer: J. K. Rowling", "J. K. Rowling", "PPP"),
        ("Answer: J. K. Rowling. She wrote it.", "J. K. Rowling", "PPP"),
        ("Answer: B. Because it fits.", "B", "PPP"),
        ("Answer: B. Because it fits C too.", "C", "PPF"),
        ("Answer: No. The function jumps.", "no", "PPP"),
        ("Answer: No. The function jumps.", "yes", "PPF"),
        ("Answer: Paris. London is wrong here, I know.", "London", "UUU"),
        ("Answer: 3.5. Next.", "3.5", "PPP"),
        ("Answer: Washington, D.C. It is the capital.", "Washington, D.C.", "PPP"),
        ("Answer: 42\r\nBye 7", "42", "PPP"),
    ]);
}

#[test]
fn nothing_or_a_denial_behind_the_last_marker_fails() {
    check(&[
        ("Answer:", "42", "FNN"),
        ("It is 42.\nAnswer: ", "42", "FNN"),
        ("Answer: 42\nAnswer:", "42", "FNN"),
        ("\\boxed{}", "42", "FNN"),
        ("Answer: ...", "42", "FNN"),
        ("Final answer: **", "42", "FNN"),
        ("Answer: cannot be determined", "42", "FNN"),
        ("Answer: It cannot be determined from 3 values.", "42", "FNN"),
        ("Answer: The mean age cannot be determined.", "42", "FNN"),
        ("Answer: N/A", "42", "FNN"),
        ("\\boxed{\\text{N/A}}", "42", "FNN"),
        ("Answer: TBD", "42", "FNN"),
        ("The answer is unknown.", "42", "FNN"),
        ("Answer: not 41", "42", "FNN"),
        ("The answer is not 42.", "42", "FNN"),
        ("Answer: I don't know.", "42", "FNN"),
        ("Answer: I can’t say", "42", "FNN"),
        ("Answer: Sorry, I cannot help with that.", "42", "FNN"),
        ("Answer: unknown", "unknown", "PPP"),
        ("Answer: cannot be determined", "Cannot be determined.", "PPP"),
        ("Answer: N/A", "unknown", "UUU"),
        ("Answer: not guilty", "not guilty", "PPP"),
        ("Answer: not guilty", "guilty", "FNN"),
        ("Answer: not 41 but 42", "42", "UUU"),
        ("Answer: not more than 5", "at most 5", "PPP"),
        ("Answer: Paris, though the year is unknown", "Paris", "UUU"),
        ("Answer: 6 * 7 =", "42", "FNN"),
        ("Answer: 40 +", "40", "FNN"),
        ("Answer: C++", "C++", "PPP"),
        ("Answer: 42?", "42", "UUU"),
        ("Answer: see above", "42", "UUU"),
        ("\\boxed{4", "4", "UUU"),
        ("Answer: unclear", "42", "UUU"),
    ]);
}

#[test]
fn quoted_fenced_and_example_markers_do_not_count() {
    check(&[
        ("Answer: 42\nHe wrote \"Answer: 41\" first.", "42", "PPP"),
        ("Answer: 42\n“Answer:\n41” was his.", "42", "PPP"),
        ("Answer: 42\n> Answer: 41", "42", "PPP"),
        ("Answer: 42\n```\nAnswer: 41\n```\n", "42", "PPP"),
        ("```\nAnswer: 41\n```\nAnswer: 42", "42", "PPP"),
        ("Answer: 42\n~~~\nAnswer: 41", "42", "PPP"),
        ("Answer: 42\n\n## Example\nAnswer: 41", "42", "PPP"),
        ("## Example\nAnswer: 41\n\n### Part\nAnswer: 40\n\n## Now\nAnswer: 42", "42", "PPP"),
        ("Example:\nAnswer: 41\n\nAnswer: 42", "42", "PPP"),
        ("Here is a sample:\n\nQ: 1+1\nA: 2\n\nAnswer: 42", "42", "PPP"),
        ("For example, the answer is 41.\nAnswer: 42", "42", "PPP"),
        ("Answer: 42. For example, the answer is 41 elsewhere.", "42", "PPP"),
        ("Sample answer: 41\nAnswer: 42", "42", "PPP"),
        ("Hypothetical: the answer is 41\n\nAnswer: 42", "42", "PPP"),
        (
            "Recalling a worked sample: it ended #### 12. Now this one: 8*5=40.\n#### 40",
            "40",
            "PPP",
        ),
        ("Answer: 42\nThe label 'Answer: 41' is old.", "42", "PPP"),
        ("Example 1\nQ: x\n#### 3\n\n#### 42", "42", "PPP"),
        ("Answer: 42\n**Example**\nAnswer: 41", "42", "PPP"),
        ("> Answer: 42", "42", "UUU"),
        ("\"Answer: 42\"", "42", "UUU"),
        ("Answer: \"42\"", "42", "PPP"),
        ("The students' answer: 41 is theirs.\nAnswer: 42", "42", "PUP"),
    ]);
}

#[test]
fn conditional_markers_give_way() {
    check(&[
        ("If n is odd, the answer is 41.\nAnswer: 42", "42", "PPP"),
        ("Answer: 42\nIf you round, the answer is 41.", "42", "PPP"),
        ("If n is odd, the answer is 42.", "42", "PPP"),
        ("If n is odd, the answer is 41. If n is even, the answer is 42.", "42", "PFP"),
        ("If n is odd, the answer is 41. Otherwise, the answer is 42.", "41", "PFF"),
        ("If it rains, the answer is 42. If it snows, the answer is 42.", "42", "PPP"),
        ("The answer is 5 if n is odd, and 6 otherwise.", "5", "PFF"),
        ("The answer is 42 if n is odd.", "42", "PPP"),
    ]);
}

#[test]
fn different_markers_with_unequal_values_are_several() {
    check(&[
        ("Answer: 24\nBut I forgot a term, so\nAnswer: 25", "24", "PFF"),
        ("Answer: 24\nAnswer: 25", "25", "PFP"),
        ("Answer: 25\nAnswer: 25.0", "25", "PPP"),
        ("The answer is 25.\n\\boxed{25}", "25", "PPP"),
        ("Answer: see below\n...\nAnswer: 42", "42", "PPP"),
        ("Final answer: below.\nFinal answer: 42", "42", "PPP"),
        ("Answer: unknown\nAnswer: 42", "42", "PPP"),
        ("Answer: Lyon\nAnswer: Paris", "Paris", "PFP"),
        ("Answer: Lyon\nAnswer: Lyon", "Paris", "PPF"),
        ("The answer is $x = \\boxed{7}$.", "7", "PPP"),
        ("The answer is \\boxed{7}.", "7", "PPP"),
        ("The answer is \\boxed{7} or \\boxed{8}.", "8", "PFP"),
        ("Final answer: \\boxed{2} or \\boxed{3}", "2 or 3", "PPP"),
        ("Final answer: The answer is 42", "42", "PPP"),
        ("Answer: 41, so the final answer is 42", "42", "PFP"),
        ("Answer: 3 km\nAnswer: 3 miles", "3 miles", "PFP"),
        ("Answer: 50%\nAnswer: 0.5", "50% | 0.5", "PPP"),
        ("Q: 2+2?\nA: 4\nQ: 3+3?\nA: 6", "6", "PFP"),
        ("A: Paris\nB: London\nAnswer: B", "B", "PFP"),
    ]);
}

#[test]
fn an_answer_can_be_taken_back() {
    check(&[
        ("Answer: 41. Wait, that is wrong. Answer: 42", "42", "PPP"),
        ("Answer: 41\nI made a mistake.\nAnswer: 42", "42", "PPP"),
        ("Answer: 41. Scratch that, it is 42.", "42", "PPP"),
        ("Answer: 41. Scratch that.", "41", "PPU"),
        ("Answer: 42. I take it back.", "42", "PPU"),
        ("Answer: 42. I take that back: 43.", "43", "PPP"),
        ("Answer: 41. Correction: 42.", "42", "PPP"),
        ("Answer: 41. Correction: 42.", "41", "PPF"),
        ("Answer: 41. I retract this. The sum is 42.", "42", "PPP"),
        ("Answer: 41. Please disregard that.", "41", "PPU"),
        ("Answer: 41. Ignore that. It is 42 or 43.", "43", "PFP"),
        ("Answer: Lyon. Scratch that, Paris.", "Paris", "PPP"),
        ("Answer: Lyon. Scratch that, it's by the Seine.", "Paris", "UUU"),
        ("Answer: 41. Hmm, 42.", "41", "PPP"),
        ("Answer: 41\nOn reflection it is 42.", "42", "PPF"),
        ("Answer: 42. There is no mistake.", "42", "PPP"),
        ("Answer: 42. A common mistake is to say 41.", "42", "PPP"),
        ("Answer: 42. \"That is wrong,\" he said.", "42", "PPP"),
        ("Hm, the answer is wrong.\nThe sum is 42.", "42", "PPP"),
        ("Answer: wrong", "wrong", "PPP"),
        ("Answer: 41. I withdraw it; I don't know.", "41", "UUU"),
    ]);
}
