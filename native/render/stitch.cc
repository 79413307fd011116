#include "render/render.h"

namespace framewright {

Result<MuxResult> stitch(const StitchRequest& request, const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto muxer, MovieMuxer::open(request, cancel));
  for (const std::string& path : request.segmentPaths) FW_RETURN_IF_ERROR(muxer->append(path));
  return muxer->finish();
}

}  // namespace framewright
