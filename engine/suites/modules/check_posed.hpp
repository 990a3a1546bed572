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

/// Writes smaller numbers into the file if a scale is asked for, which takes the oracle. A file in which that
/// cannot be done is a failure.
oracle::OracleResult<PosedFile> pose(oracle::OracleProcess& oracle, oracle::TaskText file,
                                     const Posing& posing, double seconds);

struct PosedReport {
  PosedFile posed;  ///< the file itself if it could not be posed
  CheckReport report;
};

/// Checks the file as it is posed, or with `only_describe` describes it. A file that cannot be posed is
/// `unsupported`. One that wants more memory than there is says at which scale it would fit. Throws
/// MachineCannot if no oracle can be started.
PosedReport check_posed(oracle::OracleProcess& oracle, const oracle::TaskText& file, const Posing& posing,
                        double seconds, bool only_describe);

}  // namespace ridgeline::suites::modules
