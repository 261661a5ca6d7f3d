//! One item more in a list of a JSON object, in its text: every other byte stays as it is.

use serde_json::value::RawValue;

use super::from_json::Members;

/// The text with this item, itself JSON of one line, behind those of the list of this name, which is made where there is
/// none. Absent where the text is no object, or the name is that of something else than a list.
#[must_use]
pub fn with_item(text: &str, list: &str, item: &str) -> Option<String> {
    let Members(members) = serde_json::from_str(text).ok()?;
    let put = |at: usize, what: &str| Some(format!("{}{what}{}", &text[..at], &text[at..]));
    let Some((_, held)) = members.iter().find(|(key, _)| key == list) else {
        let Some((_, last)) = members.last() else {
            return put(text.find('{')? + 1, &format!("\"{list}\": [{item}]"));
        };
        let first = members.first().map(|(_, first)| start(text, first))?;
        let made = match indent(text, first) {
            Some(by) => format!(",\n{by}\"{list}\": [\n{by}{by}{item}\n{by}]"),
            None => format!(", \"{list}\": [{item}]"),
        };
        return put(end(text, last), &made);
    };
    if held.get() == "null" {
        let (from, to) = (start(text, held), end(text, held));
        return Some(format!("{}[{item}]{}", &text[..from], &text[to..]));
    }
    let items: Vec<&RawValue> = serde_json::from_str(held.get()).ok()?;
    match items.last() {
        None => put(start(text, held) + 1, item),
        Some(last) => match alone(text, start(text, last)) {
            Some(by) => put(end(text, last), &format!(",\n{by}{item}")),
            None => put(end(text, last), &format!(", {item}")),
        },
    }
}

/// Where a value stands in the text that it borrows from.
fn start(text: &str, value: &RawValue) -> usize {
    (value.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn end(text: &str, value: &RawValue) -> usize {
    start(text, value) + value.get().len()
}

/// What its line begins with, for a value that begins its line.
fn alone(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let before = &text[line..at];
    before.trim().is_empty().then_some(before)
}

/// What its line begins with, where the object is written on several lines.
fn indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let before = &text[line..at];
    Some(&before[..before.len() - before.trim_start().len()])
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::with_item;

    #[test]
    fn one_item_is_added_and_every_other_byte_stays() {
        let table = [
            (r#"{}"#, Some(r#"{"l": [9]}"#)),
            (r#"{"a": 1.50}"#, Some(r#"{"a": 1.50, "l": [9]}"#)),
            (r#"{"l": []}"#, Some(r#"{"l": [9]}"#)),
            (r#"{"l": null , "a": 1e2}"#, Some(r#"{"l": [9] , "a": 1e2}"#)),
            (r#"{"l": [1 ], "a": {"l": 2}}"#, Some(r#"{"l": [1, 9 ], "a": {"l": 2}}"#)),
            ("{\n  \"a\": 1\n}\n", Some("{\n  \"a\": 1,\n  \"l\": [\n    9\n  ]\n}\n")),
            ("{\n \"l\": [\n  1\n ]\n}", Some("{\n \"l\": [\n  1,\n  9\n ]\n}")),
            (r#"{"l": 1}"#, None),
            (r#"[1]"#, None),
            (r#"{"#, None),
        ];
        for (text, expected) in table {
            assert_eq!(with_item(text, "l", "9").as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn it_is_found_whatever_the_texts_in_it_say() {
        let text = r#"{"x": "\"l\": []}", "é": {"l": [1]}, "l": [{"y": "]"}], "z": 0.10}"#;
        let with = with_item(text, "l", "9").expect("an object");
        assert_eq!(with, text.replace(r#"{"y": "]"}]"#, r#"{"y": "]"}, 9]"#));
        let mut read: Value = serde_json::from_str(&with).expect("JSON");
        assert_eq!(read["l"].as_array_mut().expect("a list").pop(), Some(9.into()));
        assert_eq!(read, serde_json::from_str::<Value>(text).expect("JSON"));
    }
}
