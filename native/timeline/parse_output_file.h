#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/output_file.h"
#include "timeline/timeline.h"

namespace framewright {

// Frames [first, end) of the canvas that renderOutputs() encodes beside its files, as renderSegment() does,
// and scales to `width` x `height`. Described by $defs.outputSegment of schema/timeline.schema.json.
struct OutputSegment {
  std::string path;
  int64_t first = 0, end = 0;
  int width = 0, height = 0;
  EncodeSettings encode;
};

// Parses a JSON array of $defs.outputFile of schema/timeline.schema.json and fills in the defaults that
// follow from the timeline. Fails with INVALID_TIMELINE, which names the member, for values outside the
// schema, for frames outside the timeline and for codecs that the format cannot hold. Any thread.
Result<std::vector<OutputFile>> parseOutputFiles(std::string_view json, const Timeline& timeline);

// Parses one such file that is made of segments: `first`, `end`, `fps` and the size must be given, and the
// file has the frame rate of the canvas. Fails in the same way.
Result<OutputFile> parseStitchedFile(std::string_view json);

// Parses a JSON array of $defs.outputSegment in the same way. Ranges that overlap must be equal, because the
// frames ahead decide how an encoder works.
Result<std::vector<OutputSegment>> parseOutputSegments(std::string_view json, const Timeline& timeline);

}  // namespace framewright
