#include "engine/core/task.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline {
namespace {

TEST(OnBackend, DropsTheCasesOfOthersAndHashesWhatIsLeft) {
  Task task;
  task.cases = {
      {.name = "small"}, {.name = "typical", .backend = "cpu"}, {.name = "large", .backend = "cuda"}};
  task.hash = hash_of(task);
  const auto cpu = on_backend(task, "cpu"), cuda = on_backend(task, "cuda");
  ASSERT_EQ(cpu.cases.size(), 2u);
  EXPECT_EQ(cpu.cases[1].name, "typical");
  ASSERT_EQ(cuda.cases.size(), 2u);
  EXPECT_EQ(cuda.cases[1].name, "large");
  EXPECT_EQ(cpu.hash, hash_of(cpu));
  EXPECT_NE(cpu.hash, cuda.hash);
  EXPECT_NE(cpu.hash, task.hash);
}

TEST(OnBackend, LeavesATaskWithoutSuchCasesAsItWas) {
  Task task;
  task.cases = {{.name = "small"}};
  task.hash = hash_of(task);
  EXPECT_EQ(on_backend(task, "cuda").hash, task.hash);
}

Task with_backends(std::initializer_list<const char*> backends) {
  Task task;
  for (const auto* backend : backends) task.cases.push_back({.name = "c", .backend = backend});
  task.hash = hash_of(task);
  return task;
}

TEST(BackendOf, IsTheLanguagesOwnOrTheOneThatCasesAreFor) {
  EXPECT_EQ(backend_of(with_backends({"cuda"}), Language::cpp), "cpu");
  EXPECT_EQ(backend_of(with_backends({"cpu"}), Language::cuda), "cuda");
  for (const auto language : {Language::triton, Language::torch}) {
    EXPECT_EQ(backend_of(with_backends({""}), language), "cuda");
    EXPECT_EQ(backend_of(with_backends({"", "cpu", "cuda"}), language), "cuda");
    EXPECT_EQ(backend_of(with_backends({"", "cpu"}), language), "cpu");
  }
}

TEST(ForLanguage, LeavesTheCasesOfTheBackendAndIsJudgedThere) {
  const auto both = with_backends({"", "cpu", "cuda"});
  EXPECT_EQ(for_language(both, Language::triton, "cpu").hash, on_backend(both, "cpu").hash);
  EXPECT_EQ(for_language(both, Language::triton, "cuda").hash, on_backend(both, "cuda").hash);
  const auto anywhere = for_language(with_backends({""}), Language::triton, "cpu");
  EXPECT_EQ(backend_of(anywhere, Language::triton), "cpu");
  EXPECT_EQ(anywhere.cases[0].backend, "cpu");
  EXPECT_EQ(anywhere.hash, hash_of(anywhere));
}

TEST(AnswerForm, FollowsTheTaskWhereTheLanguageCan) {
  Task native, file;
  file.module = Module{};
  for (const auto language : {Language::cpp, Language::cuda}) {
    EXPECT_EQ(answer_form(native, language), Form::kernel);
    EXPECT_EQ(answer_form(file, language), Form::kernel);
  }
  EXPECT_EQ(answer_form(native, Language::triton), Form::kernel);
  EXPECT_EQ(answer_form(file, Language::triton), Form::module);
  EXPECT_EQ(answer_form(native, Language::torch), std::nullopt);
  EXPECT_EQ(answer_form(file, Language::torch), Form::module);
}

TEST(Module, OfAFunctionSurvivesJsonAndLeavesTheHashesOfOthersAsTheyWere) {
  Task task;
  task.module = Module{"level1/1_x", "[]", "{}", true};
  const auto plain = nlohmann::json(task);
  EXPECT_EQ(plain.at("module"),
            (nlohmann::json{
                {"file", "level1/1_x"}, {"init_arguments", "[]"}, {"init_named", "{}"}, {"training", true}}));
  EXPECT_FALSE(answers_with_function(task));
  task.module->function = "gelu";
  task.module->adapter = "class Model: pass";
  const auto again = nlohmann::json(task).get<Task>();
  EXPECT_TRUE(answers_with_function(again));
  EXPECT_EQ(again.module->function, "gelu");
  EXPECT_EQ(again.module->adapter, "class Model: pass");
  EXPECT_NE(hash_of(again), hash_of(plain.get<Task>()));
}

TEST(LanguageOfFile, IsByItsEndingAndTheFormThatIsWanted) {
  EXPECT_EQ(language_of_file(".cc", Form::module), Language::cpp);
  EXPECT_EQ(language_of_file(".cu", Form::kernel), Language::cuda);
  EXPECT_EQ(language_of_file(".py", Form::kernel), Language::triton);
  EXPECT_EQ(language_of_file(".py", Form::module), Language::torch);
  EXPECT_EQ(language_of_file(".h", Form::kernel), std::nullopt);
}

}  // namespace
}  // namespace ridgeline
