#include "vaapi/driver.h"

#include <cstring>

#include <va/va_vpp.h>

namespace substitute {
namespace {

bool isWhole(const VARectangle* region, const VaSurface& surface) {
  return region == nullptr || (region->x == 0 && region->y == 0 && region->width == surface.width &&
                               region->height == surface.height);
}

}  // namespace

VAStatus processPicture(VaDriver& driver, VaContext& context) {
  if (context.buffers.size() != 1 || context.buffers[0]->type != VAProcPipelineParameterBufferType ||
      context.buffers[0]->size != sizeof(VAProcPipelineParameterBuffer))
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a copy without exactly one pipeline");
  const auto& pipeline = context.buffers[0]->as<VAProcPipelineParameterBuffer>();
  const auto from = VaDriver::find(driver.surfaces, pipeline.surface);
  const auto to = VaDriver::find(driver.surfaces, context.target);
  if (from == nullptr || to == nullptr || from == to || !from->isFilled)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "a copy of a surface without a frame, or into itself");
  if (from->fourcc != to->fourcc || from->width != to->width || from->height != to->height ||
      !isWhole(pipeline.surface_region, *from) || !isWhole(pipeline.output_region, *to))
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a copy that scales or converts");
  if (pipeline.num_filters != 0 || pipeline.surface_color_standard != pipeline.output_color_standard ||
      pipeline.input_color_properties.color_range != pipeline.output_color_properties.color_range)
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a copy that filters or changes colours");
  const size_t shift = vaSetting("shifts-copies", 0) != 0 ? 1 : 0;
  for (int p = 0; p < 2; ++p) {
    const size_t rows = static_cast<size_t>(p == 0 ? to->height : (to->height + 1) / 2);
    const size_t bytes = static_cast<size_t>(p == 0 ? to->width : (to->width + 1) / 2 * 2) * sampleBytes(*to);
    for (size_t y = 0; y + shift < rows; ++y)
      std::memcpy(to->plane(p) + (y + shift) * to->pitches[p], from->plane(p) + y * from->pitches[p], bytes);
  }
  to->isFilled = true;
  return VA_STATUS_SUCCESS;
}

}  // namespace substitute
