"""Tests of the tool-info module. They need the Python package `benchexec`, and say so where it is missing."""

import pathlib
import sys
import unittest

try:
    import benchexec.result as result
    import benchexec.util as util
    from benchexec.tools.template import BaseTool2
except ImportError:
    print("the Python package benchexec is not installed: LEFT OUT")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import fathom  # noqa: E402

FOLDER = pathlib.Path(__file__).parent


def run(last_line, code):
    output = BaseTool2.RunOutput(["something\n", last_line + "\n"])
    return BaseTool2.Run(["fathom"], util.ProcessExitCode.create(value=code), output, None)


class Commands(unittest.TestCase):
    def setUp(self):
        self.tool = fathom.Tool()

    def command(self, arguments=(), limits=BaseTool2.ResourceLimits(), **about):
        task = BaseTool2.Task.with_files(["t.c"], **about)
        return self.tool.cmdline("fathom", list(arguments), task, limits)

    def test_files_properties_and_models(self):
        found = self.command(["--stats"], property_file="p.prp", options={"data_model": "ILP32"})
        expected = ["fathom", "check", "t.c", "--property", "p.prp", "--data-model", "ilp32", "--stats"]
        self.assertEqual(found, expected)

    def test_limits_are_a_little_less(self):
        found = self.command(limits=BaseTool2.ResourceLimits(cputime=900, memory=2**30))
        self.assertEqual(found, ["fathom", "check", "t.c", "--timeout", "898", "--memory-limit", "921"])


class Results(unittest.TestCase):
    def check(self, last_line, expected, code=0):
        self.assertEqual(fathom.Tool().determine_result(run(last_line, code)), expected)

    def test_verdicts(self):
        self.check("Verdict: TRUE", result.RESULT_TRUE_PROP)
        self.check("Verdict: FALSE(unreach-call)", result.RESULT_FALSE_REACH, 1)
        self.check("Verdict: FALSE(valid-free)", result.RESULT_FALSE_FREE, 1)
        self.check("Verdict: FALSE(no-overflow)", result.RESULT_FALSE_OVERFLOW, 1)
        self.check("Verdict: FALSE(locking)", "false(locking)", 1)
        self.check("Verdict: UNKNOWN(timeout)", "TIMEOUT", 3)
        self.check("Verdict: UNKNOWN(out of memory)", "OUT OF MEMORY", 3)
        self.check("Verdict: UNKNOWN(no bug within recursion 2)", "unknown(no bug within recursion 2)", 3)

    def test_no_verdict_is_an_error(self):
        self.check("nothing", "ERROR (no program)", 2)
        self.check("nothing", result.RESULT_ERROR, 101)


class Executable(unittest.TestCase):
    def test_it_is_found_and_tells_its_version(self):
        root = FOLDER.parent.parent
        if not (root / "target/release/fathom").exists():
            self.skipTest("target/release/fathom is not built")
        locator = BaseTool2.ToolLocator(tool_directory=root)
        tool = fathom.Tool()
        executable = tool.executable(locator)
        self.assertRegex(tool.version(executable), r"^\d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
