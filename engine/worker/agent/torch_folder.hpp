// Where LibTorch lies on a machine that the judge was not built on.
//
// A judge in its build folder knows the libraries it was linked with. In a bundle it knows none: they come
// with python's torch or in a folder that the user names, and must be of the version it was built for, since
// LibTorch keeps no binary interface from one version to the next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgeline::agent {

/// Folders for the judge's LD_LIBRARY_PATH; may be empty.
using LibraryFolders = std::vector<std::string>;

/// What the search asks of the machine; tests answer themselves.
struct TorchLook {
  /// torch/version.py of a folder that holds torch/, "2.11.0+cu130"; nullopt where there is no LibTorch.
  std::function<std::optional<std::string>(const std::string& folder)> version_in;
  /// The folder that holds the torch of python3 on the PATH.
  std::function<std::optional<std::string>()> pythons_folder;
};

/// `named` is what --torch or RIDGELINE_TORCH says, "" if neither. The problem comes with its fix.
std::variant<LibraryFolders, std::string> find_torch(const std::string& named, const TorchLook& look);

/// The same on this machine, for the judge at `judge`: empty if it is not one of a bundle
/// (<bundle>/bin/ridgeline-judge beside <bundle>/share/ridgeline).
std::variant<LibraryFolders, std::string> torch_for(const std::string& judge, const std::string& named);

/// "2.11.0", of the LibTorch that the judge was built with.
std::string torch_wanted();

/// `environment` ("NAME=value") with these folders in front of LD_LIBRARY_PATH.
std::vector<std::string> with_library_folders(std::vector<std::string> environment,
                                              const LibraryFolders& folders);

}  // namespace ridgeline::agent
