// A position in a file, with which every message about the file begins.
#pragma once

#include <memory>
#include <string>

namespace ridgeline::yaml {

/// The place of a node or of a key. A value, cheap to copy.
struct Place {
  /// The file's path as the user gave it, or "--set a.b=value". Null: not known.
  std::shared_ptr<const std::string> source;
  int line = 0;    ///< from 1; 0: no line, as on the command line
  int column = 0;  ///< from 1; of a node in bytes of UTF-8, as yaml-cpp counts

  /// Returns "campaign.yaml:12:5", the source alone where there is no line, or "?" without a source.
  std::string text() const;
};

}  // namespace ridgeline::yaml
