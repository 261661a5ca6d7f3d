"""The same as a component, made by componentize-py: a guest of 18 MB and more."""

import cheap_answer
import wit_world.exports
from wit_world.imports.types import Finding, Manifest, Rule, Scope, Tier, Verdict

VERDICTS = {"pass": Verdict.PASS, "fail": Verdict.FAIL, "unproven": Verdict.UNPROVEN}


def rule(name, tier):
    return Rule(id=name, text=name, tier=tier, scope=Scope.OUTPUT, needs=[])


class Grader(wit_world.exports.Grader):
    def describe(self):
        rules = [rule("last-number", Tier.ESSENTIAL), rule("nothing-forbidden", Tier.MUST_NOT)]
        return Manifest(
            name="cheap-answer-python", version="1", rubric="cheap-answer", rules=rules, extra=""
        )

    def grade(self, input):
        return [
            Finding(
                rule=name,
                claim=None,
                verdict=VERDICTS[verdict],
                rationale=why,
                citations=[],
                score=None,
                extra="",
            )
            for name, verdict, why in cheap_answer.grade(input.output, input.reference)
        ]
