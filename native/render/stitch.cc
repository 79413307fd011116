#include "render/render.h"

namespace framewright {

Result<MuxResult> stitch(const StitchRequest& request, const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto muxer,
                      MovieMuxer::open(request.outputPath, request.segmentPaths, request.audioPath));
  for (const std::string& path : request.segmentPaths) FW_RETURN_IF_ERROR(muxer->append(path, cancel));
  return muxer->finish();
}

}  // namespace framewright
