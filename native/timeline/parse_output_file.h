#pragma once

#include <vector>

#include <rapidjson/document.h>

#include "core/output_file.h"
#include "timeline/timeline.h"

namespace framewright {

// Parses an array of $defs.outputFile of schema/timeline.schema.json and fills in the defaults that follow
// from the timeline. Fails with INVALID_TIMELINE, which names the member, for values outside the schema, for
// frames outside the timeline and for codecs that the format cannot hold. Any thread.
Result<std::vector<OutputFile>> parseOutputFiles(const rapidjson::Value& outputs, const Timeline& timeline);

}  // namespace framewright
