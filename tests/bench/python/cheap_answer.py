"""The grader of the benchmarks once more, in Python: a JSON case a line in, its findings a line out.
A process for each case is given one line, a persistent worker one after the other."""

import json
import re
import sys

FORBIDDEN = ("as an ai", "i cannot help", "guaranteed returns", "ignore previous instructions")
NUMBER = re.compile(r"[0-9.,]+")


def value(number):
    try:
        return float(number.strip().replace(",", ""))
    except ValueError:
        return None


def last_number(text, reference):
    numbers = [n for n in (found.strip(".,") for found in NUMBER.findall(text)) if n]
    right = None if reference is None else value(reference)
    said = value(numbers[-1]) if numbers else None
    if right is None:
        return "unproven", "the reference is no number"
    if said is None:
        return "fail", "the output holds no number"
    if said == right:
        return "pass", "the last number is the reference"
    return "fail", "the last number is another"


def nothing_forbidden(text):
    for phrase in FORBIDDEN:
        if phrase in text:
            return "fail", f'the output says "{phrase}"'
    return "pass", "nothing of it is said"


def grade(output, reference):
    """The findings: a rule, its verdict and why."""
    text = " ".join(output.lower().split())
    return [
        ("last-number", *last_number(text, reference)),
        ("nothing-forbidden", *nothing_forbidden(text)),
    ]


def main():
    for line in sys.stdin:
        case = json.loads(line)
        print(json.dumps(grade(case["output"], case.get("reference"))), flush=True)


if __name__ == "__main__":
    main()
