#include "vaapi/driver.h"

#include <algorithm>
#include <cstring>

#include <va/va_version.h>

namespace substitute {
namespace {

constexpr VAProfile kProfiles[] = {VAProfileH264ConstrainedBaseline,
                                   VAProfileH264Main,
                                   VAProfileH264High,
                                   VAProfileHEVCMain,
                                   VAProfileHEVCMain10,
                                   VAProfileVP9Profile0,
                                   VAProfileVP9Profile2};
constexpr uint32_t kHeaders = VA_ENC_PACKED_HEADER_SEQUENCE | VA_ENC_PACKED_HEADER_PICTURE |
                              VA_ENC_PACKED_HEADER_SLICE | VA_ENC_PACKED_HEADER_MISC |
                              VA_ENC_PACKED_HEADER_RAW_DATA;

bool isOffered(VAProfile profile, VAEntrypoint entrypoint) {
  if (profile == VAProfileNone) return entrypoint == VAEntrypointVideoProc && vaSetting("no-vpp", 0) == 0;
  const bool isKnown = std::find(std::begin(kProfiles), std::end(kProfiles), profile) != std::end(kProfiles);
  return isKnown && (entrypoint == VAEntrypointVLD ||
                     (entrypoint == VAEntrypointEncSlice && profile == VAProfileH264High));
}

uint32_t attributeOf(VAProfile profile, VAEntrypoint entrypoint, VAConfigAttribType type) {
  const bool isDeep = profile == VAProfileHEVCMain10 || profile == VAProfileVP9Profile2;
  if (type == VAConfigAttribRTFormat) return isDeep ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
  if (entrypoint != VAEntrypointEncSlice) return VA_ATTRIB_NOT_SUPPORTED;
  switch (type) {
    case VAConfigAttribRateControl:
      return static_cast<uint32_t>(VA_RC_CQP) |
             (vaSetting("no-icq", 0) != 0 ? 0u : static_cast<uint32_t>(VA_RC_ICQ));
    case VAConfigAttribEncPackedHeaders:
      return kHeaders;
    case VAConfigAttribEncMaxRefFrames:
      return 1;  // no B-frames
    case VAConfigAttribEncMaxSlices:
      return 1;
    default:
      return VA_ATTRIB_NOT_SUPPORTED;
  }
}

VAStatus profiles(VADriverContextP, VAProfile* list, int* count) {
  FW_VA_CALL(QueryConfigProfiles);
  std::copy(std::begin(kProfiles), std::end(kProfiles), list);
  *count = static_cast<int>(std::size(kProfiles));
  return VA_STATUS_SUCCESS;
}

VAStatus entrypoints(VADriverContextP, VAProfile profile, VAEntrypoint* list, int* count) {
  FW_VA_CALL(QueryConfigEntrypoints);
  *count = 0;
  for (const VAEntrypoint each : {VAEntrypointVLD, VAEntrypointEncSlice, VAEntrypointVideoProc})
    if (isOffered(profile, each)) list[(*count)++] = each;
  return *count > 0 ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
}

VAStatus configAttributes(VADriverContextP, VAProfile profile, VAEntrypoint entrypoint, VAConfigAttrib* list,
                          int count) {
  FW_VA_CALL(GetConfigAttributes);
  for (int i = 0; i < count; ++i) list[i].value = attributeOf(profile, entrypoint, list[i].type);
  return VA_STATUS_SUCCESS;
}

VAStatus createConfig(VADriverContextP context, VAProfile profile, VAEntrypoint entrypoint,
                      VAConfigAttrib* list, int count, VAConfigID* id) {
  FW_VA_CALL(CreateConfig);
  if (!isOffered(profile, entrypoint)) return VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
  VaConfig config{profile, entrypoint, 0};
  for (int i = 0; i < count; ++i) {
    const uint32_t offered = attributeOf(profile, entrypoint, list[i].type);
    if (offered == VA_ATTRIB_NOT_SUPPORTED || (list[i].value & ~offered) != 0)
      return refuse(VA_STATUS_ERROR_INVALID_VALUE, "a configuration that the driver does not offer");
    if (list[i].type == VAConfigAttribRateControl) config.rateControl = list[i].value;
  }
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  *id = ++driver.lastId;
  driver.configs[*id] = config;
  return VA_STATUS_SUCCESS;
}

VAStatus destroyConfig(VADriverContextP context, VAConfigID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  return driver.configs.erase(id) == 1
             ? VA_STATUS_SUCCESS
             : refuse(VA_STATUS_ERROR_INVALID_CONFIG, "an unknown configuration is destroyed");
}

VAStatus createContext(VADriverContextP context, VAConfigID config, int width, int height, int,
                       VASurfaceID* targets, int targetCount, VAContextID* id) {
  FW_VA_CALL(CreateContext);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto found = driver.configs.find(config);
  if (found == driver.configs.end())
    return refuse(VA_STATUS_ERROR_INVALID_CONFIG, "a context without a configuration");
  if (static_cast<int>(driver.contexts.size()) >= vaSetting("contexts", 8))
    return VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
  for (int i = 0; i < targetCount; ++i)
    if (VaDriver::find(driver.surfaces, targets[i]) == nullptr)
      return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "a context with an unknown surface");
  auto made = std::make_shared<VaContext>();
  made->config = found->second;
  made->width = width;
  made->height = height;
  *id = ++driver.lastId;
  driver.contexts[*id] = std::move(made);
  return VA_STATUS_SUCCESS;
}

VAStatus destroyContext(VADriverContextP context, VAContextID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  return driver.contexts.erase(id) == 1
             ? VA_STATUS_SUCCESS
             : refuse(VA_STATUS_ERROR_INVALID_CONTEXT, "an unknown context is destroyed");
}

VAStatus createBuffer(VADriverContextP context, VAContextID owner, VABufferType type, unsigned size,
                      unsigned count, void* data, VABufferID* id) {
  FW_VA_CALL(CreateBuffer);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  if (VaDriver::find(driver.contexts, owner) == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_CONTEXT, "a buffer without a context");
  auto buffer = std::make_shared<VaBuffer>();
  buffer->type = type;
  buffer->size = size;
  buffer->count = count;
  buffer->bytes.resize(size_t{size} * count);
  if (data != nullptr) std::memcpy(buffer->bytes.data(), data, buffer->bytes.size());
  *id = ++driver.lastId;
  driver.buffers[*id] = std::move(buffer);
  return VA_STATUS_SUCCESS;
}

VAStatus mapBuffer(VADriverContextP context, VABufferID id, void** address) {
  FW_VA_CALL(MapBuffer);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto buffer = VaDriver::find(driver.buffers, id);
  if (buffer == nullptr || buffer->isMapped)
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a buffer that is unknown or mapped is mapped");
  const auto surface = VaDriver::find(driver.surfaces, buffer->surface);
  if (buffer->surface != VA_INVALID_ID && surface == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "an image of a destroyed surface is mapped");
  buffer->isMapped = true;
  *address = buffer->bytes.data();
  if (surface != nullptr) {
    *address = surface->plane(0) - surface->offsets[0];
    surface->isFilled = true;
  } else if (buffer->type == VAEncCodedBufferType) {
    buffer->segment = {};
    buffer->segment.size = static_cast<uint32_t>(buffer->bytes.size());
    buffer->segment.buf = buffer->bytes.data();
    *address = &buffer->segment;
  }
  return VA_STATUS_SUCCESS;
}

VAStatus unmapBuffer(VADriverContextP context, VABufferID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto buffer = VaDriver::find(driver.buffers, id);
  if (buffer == nullptr || !buffer->isMapped)
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a buffer that is not mapped is unmapped");
  buffer->isMapped = false;
  return VA_STATUS_SUCCESS;
}

VAStatus destroyBuffer(VADriverContextP context, VABufferID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  return driver.buffers.erase(id) == 1
             ? VA_STATUS_SUCCESS
             : refuse(VA_STATUS_ERROR_INVALID_BUFFER, "an unknown buffer is destroyed");
}

VAStatus beginPicture(VADriverContextP context, VAContextID id, VASurfaceID target) {
  FW_VA_CALL(BeginPicture);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto found = VaDriver::find(driver.contexts, id);
  if (found == nullptr || found->target != VA_INVALID_ID)
    return refuse(VA_STATUS_ERROR_INVALID_CONTEXT, "a picture within another, or without a context");
  if (VaDriver::find(driver.surfaces, target) == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "a picture without a surface");
  found->target = target;
  found->buffers.clear();
  return VA_STATUS_SUCCESS;
}

VAStatus renderPicture(VADriverContextP context, VAContextID id, VABufferID* ids, int count) {
  FW_VA_CALL(RenderPicture);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto found = VaDriver::find(driver.contexts, id);
  if (found == nullptr || found->target == VA_INVALID_ID)
    return refuse(VA_STATUS_ERROR_INVALID_CONTEXT, "vaRenderPicture outside of a picture");
  for (int i = 0; i < count; ++i) {
    const auto buffer = VaDriver::find(driver.buffers, ids[i]);
    if (buffer == nullptr || buffer->isMapped)
      return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "vaRenderPicture of a buffer that is unknown or mapped");
    found->buffers.push_back(buffer);
  }
  return VA_STATUS_SUCCESS;
}

VAStatus endPicture(VADriverContextP context, VAContextID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto found = VaDriver::find(driver.contexts, id);
  if (found == nullptr || found->target == VA_INVALID_ID)
    return refuse(VA_STATUS_ERROR_INVALID_CONTEXT, "vaEndPicture outside of a picture");
  VAStatus status = vaFault("EndPicture");
  const VAEntrypoint entrypoint = found->config.entrypoint;
  if (status == VA_STATUS_SUCCESS)
    status = entrypoint == VAEntrypointVideoProc  ? processPicture(driver, *found)
             : entrypoint == VAEntrypointEncSlice ? encodePicture(driver, *found)
                                                  : decodePicture(driver, *found);
  found->target = VA_INVALID_ID;
  found->buffers.clear();
  return status;
}

VAStatus syncBuffer(VADriverContextP context, VABufferID id, uint64_t) {
  // libav asks whether the function exists.
  if (id == VA_INVALID_ID) return VA_STATUS_ERROR_INVALID_BUFFER;
  FW_VA_CALL(SyncBuffer);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  return VaDriver::find(driver.buffers, id) == nullptr
             ? refuse(VA_STATUS_ERROR_INVALID_BUFFER, "vaSyncBuffer of an unknown buffer")
             : VA_STATUS_SUCCESS;
}

VAStatus terminate(VADriverContextP context) {
  VaDriver& driver = driverOf(context);
  const auto reportLeaks = [](size_t count, const char* what) {
    if (count > 0) report(std::to_string(count) + " " + what + " were not destroyed");
  };
  reportLeaks(driver.surfaces.size(), "surfaces");
  reportLeaks(driver.buffers.size(), "buffers");
  reportLeaks(driver.images.size(), "images");
  reportLeaks(driver.configs.size(), "configurations");
  reportLeaks(driver.contexts.size(), "contexts");
  delete &driver;
  return VA_STATUS_SUCCESS;
}

// What libva requires and libav does not call.
template <class... Arguments>
void leaveOut(VAStatus (*&function)(Arguments...)) {
  function = [](Arguments...) -> VAStatus { return VA_STATUS_ERROR_UNIMPLEMENTED; };
}

void addFunctions(VADriverVTable& table) {
  table.vaTerminate = terminate;
  table.vaQueryConfigProfiles = profiles;
  table.vaQueryConfigEntrypoints = entrypoints;
  table.vaGetConfigAttributes = configAttributes;
  table.vaCreateConfig = createConfig;
  table.vaDestroyConfig = destroyConfig;
  table.vaCreateContext = createContext;
  table.vaDestroyContext = destroyContext;
  table.vaCreateBuffer = createBuffer;
  table.vaMapBuffer = mapBuffer;
  table.vaUnmapBuffer = unmapBuffer;
  table.vaDestroyBuffer = destroyBuffer;
  table.vaBeginPicture = beginPicture;
  table.vaRenderPicture = renderPicture;
  table.vaEndPicture = endPicture;
  table.vaSyncBuffer = syncBuffer;
  leaveOut(table.vaQueryConfigAttributes);
  leaveOut(table.vaCreateSurfaces);
  leaveOut(table.vaBufferSetNumElements);
  leaveOut(table.vaQuerySurfaceStatus);
  leaveOut(table.vaPutSurface);
  leaveOut(table.vaSetImagePalette);
  leaveOut(table.vaQuerySubpictureFormats);
  leaveOut(table.vaCreateSubpicture);
  leaveOut(table.vaDestroySubpicture);
  leaveOut(table.vaSetSubpictureImage);
  leaveOut(table.vaSetSubpictureChromakey);
  leaveOut(table.vaSetSubpictureGlobalAlpha);
  leaveOut(table.vaAssociateSubpicture);
  leaveOut(table.vaDeassociateSubpicture);
  leaveOut(table.vaQueryDisplayAttributes);
  leaveOut(table.vaGetDisplayAttributes);
  leaveOut(table.vaSetDisplayAttributes);
}

}  // namespace
}  // namespace substitute

#define FW_JOIN(a, b) a##b
#define FW_INIT_NAME(minor) FW_JOIN(__vaDriverInit_1_, minor)

// libva looks for its own version first.
extern "C" VAStatus FW_INIT_NAME(VA_MINOR_VERSION)(VADriverContextP context) {
  using namespace substitute;
  if (const VAStatus fault = vaFault("Initialize")) return fault;
  context->pDriverData = new VaDriver;
  context->version_major = VA_MAJOR_VERSION;
  context->version_minor = VA_MINOR_VERSION;
  context->max_profiles = static_cast<int>(std::size(kProfiles));
  context->max_entrypoints = 3;
  context->max_attributes = 16;
  context->max_image_formats = 2;
  context->max_subpic_formats = 1;
  context->max_display_attributes = 1;
  context->str_vendor = "Framewright's substitute driver";
  addFunctions(*context->vtable);
  addSurfaceFunctions(*context->vtable);
  return VA_STATUS_SUCCESS;
}
