// Modules in torch through a real ridgeline-judge, whose runner is an interpreter.
#pragma once

#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {

/// The interpreter as the agent tells it a judge: what JudgeProgram takes as `python`.
std::string python_as_the_agent_says_it(const languages::PythonToolchain& python);

/// Judges an answer that inlines no C++, without counters. Throws where the judge refuses.
Verdict judge_module(JudgeProgram& judge, const Task& task, const Candidate& candidate);

}  // namespace ridgeline::judge
