#pragma once

#include <string_view>
#include <vector>

#include "core/output_file.h"
#include "timeline/timeline.h"

namespace framewright {

// Parses a JSON array of $defs.outputFile of schema/timeline.schema.json and fills in the defaults that
// follow from the timeline. Fails with INVALID_TIMELINE, which names the member, for values outside the
// schema, for frames outside the timeline and for codecs that the format cannot hold. Any thread.
Result<std::vector<OutputFile>> parseOutputFiles(std::string_view json, const Timeline& timeline);

}  // namespace framewright
