#include "engine/worker/languages/torch_extension/compose.hpp"

#include <gmock/gmock.h>

#include "request_sources.hpp"

namespace ridgeline::torch_extension {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

TEST(Compose, AsTorchWritesThem) {
  auto request = scale_request();
  request.cuda_sources = {"__global__ void k();", "int second;"};
  request.functions = {{"scale", "multiplies"}, {"other", "other"}};
  const auto units = compose_as_torch(request);
  ASSERT_THAT(units, SizeIs(2));
  EXPECT_EQ(units[0].file, "main.cpp");
  EXPECT_EQ(units[0].text, std::string("#include <torch/extension.h>\n") + kScaleDeclaration +
                               "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n"
                               "m.def(\"scale\", torch::wrap_pybind_function(scale), \"multiplies\");\n"
                               "m.def(\"other\", torch::wrap_pybind_function(other), \"other\");\n}");
  EXPECT_EQ(units[1].file, "cuda.cu");
  EXPECT_EQ(units[1].text,
            "#include <torch/types.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n"
            "__global__ void k();\nint second;");
}

TEST(Compose, ItsSwitchesAreHeeded) {
  auto request = scale_request();
  request.error_handling = false;
  EXPECT_THAT(compose_as_torch(request)[0].text, HasSubstr("m.def(\"scale\", scale, \"scale\");"));
  request.has_functions = false;
  EXPECT_THAT(compose_as_torch(request)[0].text, testing::Not(HasSubstr("PYBIND11_MODULE")));
  request.implicit_headers = false;
  EXPECT_EQ(compose_as_torch(request)[0].text, kScaleDeclaration);
  request.cuda_sources.clear();
  EXPECT_THAT(compose_as_torch(request), SizeIs(1));
}

TEST(Compose, FilesOfLoadStayWhole) {
  auto request = scale_request();
  request.form = ExtensionRequest::Form::files;
  const auto units = compose_as_torch(request);
  ASSERT_THAT(units, SizeIs(2));
  EXPECT_EQ(units[0].text, kScaleDeclaration);
  EXPECT_EQ(units[1].text, kScaleSource);
  EXPECT_THAT(compose_joined(request), IsEmpty());
}

TEST(Compose, SlimUnitsKeepTorchsNamesAndLines) {
  auto request = scale_request();
  request.cpp_sources = {"std::vector<torch::Tensor> both(torch::Tensor x);"};
  const auto units = compose_slim(request);
  const auto as_torch = compose_as_torch(request);
  ASSERT_EQ(units.size(), as_torch.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    EXPECT_EQ(units[i].prelude, "#include <vector>\n");
    EXPECT_EQ(units[i].file, as_torch[i].file);
    EXPECT_EQ(units[i].text, as_torch[i].text);
  }
}

TEST(Compose, DeclarationsAndKernelsMakeOneUnitWithTheBindingsFirst) {
  const auto units = compose_joined(scale_request());
  ASSERT_THAT(units, SizeIs(1));
  EXPECT_EQ(units[0].compiler, ExtensionUnit::Compiler::nvcc);
  const auto& text = units[0].text;
  // The bindings must not find what is only in the CUDA source.
  EXPECT_LT(text.find("PYBIND11_MODULE"), text.find("scale_kernel"));
}

TEST(Compose, NoOneUnitWhereItCouldMeanSomethingElse) {
  const auto with = [](const char* cpp, std::vector<std::string> cflags = {}) {
    auto request = scale_request();
    request.cpp_sources = {cpp};
    request.cflags = std::move(cflags);
    return compose_joined(request);
  };
  EXPECT_THAT(with("int defined() { return 1; }"), IsEmpty());
  EXPECT_THAT(with("#define scale other\n"), IsEmpty());
  EXPECT_THAT(with(kScaleDeclaration, {"-DSCALE=2"}), IsEmpty());
  EXPECT_THAT(with("#include <vector>\n// {}\nint declared(); /* #define */\n"), SizeIs(1));
  auto exports = scale_request();
  exports.cuda_sources = {"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}"};
  EXPECT_THAT(compose_joined(exports), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::torch_extension
