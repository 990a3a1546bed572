// Where something stands: what every message about a file begins with.
#pragma once

#include <memory>
#include <string>

namespace ridgeline::yaml {

struct Place {
  std::shared_ptr<const std::string> source;  ///< a file's name as the user gave it, or "--set a.b=value"
  int line = 0;                               ///< from 1; 0: `source` alone says it
  int column = 0;                             ///< from 1, in characters

  /// "campaign.yaml:12:5".
  std::string text() const;
};

}  // namespace ridgeline::yaml
