import { expect, test } from "vitest";
import { countJunit } from "./junit.ts";

test("pytest: a test's child elements determine its result", () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1"
    failures="1" skipped="1" tests="5"><testcase classname="a" name="test_one[a -&gt; b]" time="0.001" /><testcase
    classname="a" name="two > one" time="0"><failure message="assert 1 == 2">def test(): ...</failure></testcase><testcase
    classname="a" name="three"><error message="failed on setup"/></testcase><testcase classname="a" name="four"><skipped
    type="pytest.skip" message="why">where</skipped></testcase><testcase classname="a" name="five"
    time="0.1"><system-out>&lt;failure&gt;</system-out></testcase></testsuite></testsuites>`;
  expect(countJunit(xml)).toStrictEqual({ passed: 2, failed: 2, skipped: 1 });
});

test("Surefire: a test's output isn't parsed as XML", () => {
  const xml = `<testsuite name="Scenarios" tests="2"><properties><property name="a" value="b"/></properties>
    <testcase name="lifecycle on fake" classname="Scenarios" time="0.2"><system-out><![CDATA[<failure> </testcase>
    <testcase name="no"/>]]></system-out></testcase><!-- <testcase name="no"/> -->
    <testcase name='it&apos;s "so"' classname="Scenarios"/></testsuite>`;
  expect(countJunit(xml)).toStrictEqual({ passed: 2, failed: 0, skipped: 0 });
});

test("a report without tests has a count of 0", () => {
  expect(countJunit('<testsuites><testsuite name="pytest" tests="0"/></testsuites>')).toStrictEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
  });
});
