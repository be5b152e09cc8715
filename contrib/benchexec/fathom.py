"""BenchExec's view of Fathom: how to call it, and what its last line means.

Use it with BenchExec by `<benchmark tool="fathom">` and `--tool-directory`, with this folder in PYTHONPATH.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2

DATA_MODELS = {"ILP32": "ilp32", "LP64": "lp64"}

# What Fathom calls a property, where SV-COMP has a verdict of its own for its violation.
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
}


class Tool(BaseTool2):
    """Fathom, a software model checker."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("fathom", subdir="target/release")

    def name(self):
        return "Fathom"

    def project_url(self):
        return "https://github.com/fathom-verifier/fathom"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="fathom")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", task.single_input_file]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and "--data-model" not in options:
            model = DATA_MODELS.get(task.options.get("data_model"))
            if model:
                command += ["--data-model", model]
        # A limit of its own lets Fathom say what it found so far.
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, rlimits.cputime - 2))]
        if rlimits.memory and "--memory-limit" not in options:
            command += ["--memory-limit", str(rlimits.memory * 9 // 10 // 1024 // 1024)]
        return command + options

    def determine_result(self, run):
        for line in reversed(run.output):
            if line.startswith("Verdict: "):
                return self._result(line[len("Verdict: "):].strip())
        if run.exit_code.value == 2:
            return "ERROR (no program)"
        return result.RESULT_ERROR

    @staticmethod
    def _result(verdict):
        word, _, rest = verdict.partition("(")
        reason = rest[:-1] if rest.endswith(")") else rest
        if word == "TRUE":
            return result.RESULT_TRUE_PROP
        if word == "FALSE":
            return VIOLATIONS.get(reason, f"{result.RESULT_FALSE_PROP}({reason})")
        if word == "UNKNOWN":
            if reason == "timeout":
                return "TIMEOUT"
            if reason == "out of memory":
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({reason})" if reason else result.RESULT_UNKNOWN
        return result.RESULT_ERROR
