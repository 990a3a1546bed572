// Checks one file as it is posed: in another precision, with smaller shapes.
#pragma once

#include <string>

#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/modules/check_text.hpp"
#include "engine/suites/modules/posing.hpp"

namespace ridgeline::suites::modules {

/// A file as it is posed.
struct PosedFile {
  oracle::TaskText file;
  std::string scale;  ///< Module::scale
};

/// Sets `cast_to`, and asks the oracle for smaller numbers in the text if a scale is asked for. Changes the
/// text in memory only. `seconds` is the limit of that request. A file that cannot be scaled is a failure of
/// kind `task`. Throws MachineCannot if no oracle can be started.
oracle::OracleResult<PosedFile> pose(oracle::OracleProcess& oracle, oracle::TaskText file,
                                     const Posing& posing, double seconds);

struct PosedReport {
  PosedFile posed;  ///< the file itself if it could not be posed
  CheckReport report;
};

/// Checks the file as it is posed, or with `only_describe` describes it. A file that the oracle cannot scale
/// (a failure of kind `task`) is `unsupported`. Other failures to scale it are assessed as those of a check:
/// too little memory or time is `does_not_fit`, an oracle that died is `broken`.
/// If the file needs more memory than there is, looks for a scale that fits: only at doublings of the
/// divisor, up to 1024. The reason then names the first that fits, and none if the search found none.
/// `seconds` limits scaling, check and search together, though the check has a second at least; the search
/// ends without a scale when they are spent. Throws MachineCannot if no oracle can be started.
PosedReport check_posed(oracle::OracleProcess& oracle, const oracle::TaskText& file, const Posing& posing,
                        double seconds, bool only_describe);

}  // namespace ridgeline::suites::modules
