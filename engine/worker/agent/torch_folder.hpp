// Finds LibTorch on a machine that the judge was not built on.
//
// A judge in its build folder finds the libraries that it was linked with. A judge in a bundle has none: they
// come with python's torch, or from a folder that the user names. They must be of the version that the judge
// was built for, because LibTorch's binary interface changes with every version.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgeline::agent {

/// Folders for the judge's LD_LIBRARY_PATH; may be empty.
using LibraryFolders = std::vector<std::string>;

/// Reads from the machine what the search needs. Tests replace both functions.
struct TorchSearch {
  /// Returns the version in `folder`/torch/version.py ("2.11.0+cu130"), or nullopt if there is no LibTorch.
  std::function<std::optional<std::string>(const std::string& folder)> version_in;
  /// Returns the folder that contains the torch of the python3 on PATH, or nullopt.
  std::function<std::optional<std::string>()> python_folder;
};

/// Returns LibTorch's folders, or the problem with its fix. `named` is the folder of --torch or
/// RIDGELINE_TORCH, "" if neither is set.
std::variant<LibraryFolders, std::string> find_torch(const std::string& named, const TorchSearch& search);

/// Does the same on this machine for the judge at path `judge`. Returns no folders if it is not part of a
/// bundle
/// (<bundle>/bin/ridgeline-judge beside <bundle>/share/ridgeline).
std::variant<LibraryFolders, std::string> torch_for(const std::string& judge, const std::string& named);

/// Returns the version of the LibTorch that the judge was built with, "2.11.0".
std::string required_torch_version();

/// Returns `environment` ("NAME=value") with these folders in front of LD_LIBRARY_PATH.
std::vector<std::string> with_library_folders(std::vector<std::string> environment,
                                              const LibraryFolders& folders);

}  // namespace ridgeline::agent
