#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vaapi/driver.h"

namespace substitute {

VaSurface::~VaSurface() {
  if (device != VK_NULL_HANDLE)
    Importer::ofProcess().free(device);
  else if (mapped != nullptr)
    munmap(mapped, mappedBytes);
}

namespace {

constexpr size_t kPitch = 128;
constexpr uint64_t kLinear = 0;

size_t alignPitch(size_t bytes) { return (bytes + kPitch - 1) / kPitch * kPitch; }

VAImageFormat formatOf(uint32_t fourcc) {
  VAImageFormat format{};
  format.fourcc = fourcc;
  format.byte_order = VA_LSB_FIRST;
  format.bits_per_pixel = fourcc == VA_FOURCC_P010 ? 24 : 12;
  return format;
}

// Memory of the host, or of the software Vulkan device, which another interface can import.
void allocate(VaSurface& surface, bool isExported = false) {
  surface.pitches[0] = surface.pitches[1] =
      alignPitch(static_cast<size_t>(surface.width) * sampleBytes(surface));
  surface.offsets[1] = surface.pitches[0] * static_cast<size_t>(surface.height);
  const size_t bytes =
      surface.offsets[1] + surface.pitches[1] * static_cast<size_t>((surface.height + 1) / 2);
  if (isExported) surface.device = Importer::ofProcess().allocate(bytes);
  if (surface.device == VK_NULL_HANDLE) {
    surface.own.resize(bytes);
    return;
  }
  surface.mapped = Importer::ofProcess().map(surface.device, 0, bytes);
  surface.mappedBytes = bytes;
}

// Maps the memory behind a descriptor of NV12, as drivers that accept only linear memory in one object do.
VAStatus import(VaSurface& surface, const VADRMPRIMESurfaceDescriptor& given) {
  if (vaSetting("no-import", 0) != 0) return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
  const auto& layer = given.layers[0];
  if (given.fourcc != VA_FOURCC_NV12 || given.num_objects != 1 || given.num_layers != 1 ||
      layer.num_planes != 2 || layer.drm_format != VA_FOURCC_NV12 ||
      given.objects[0].drm_format_modifier != kLinear)
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a descriptor that is not one object of linear NV12");
  struct stat file {};
  const size_t bytes = given.objects[0].size;
  for (size_t p = 0; p < 2; ++p) {
    const size_t rows = static_cast<size_t>(p == 0 ? surface.height : (surface.height + 1) / 2);
    const size_t width = static_cast<size_t>(p == 0 ? surface.width : (surface.width + 1) / 2 * 2);
    if (layer.pitch[p] < width || layer.pitch[p] % 64 != 0 ||
        layer.offset[p] + layer.pitch[p] * (rows - 1) + width > bytes)
      return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a plane outside of its object, or a wrong pitch");
    surface.offsets[p] = layer.offset[p];
    surface.pitches[p] = layer.pitch[p];
  }
  if (vaSetting("vulkan-import", 0) != 0) {
    const Importer& vulkan = Importer::ofProcess();
    surface.device = vulkan.import(dup(given.objects[0].fd), bytes);
    if (surface.device == VK_NULL_HANDLE) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface.mapped = vulkan.map(surface.device, 0, bytes);
  } else {
    if (fstat(given.objects[0].fd, &file) != 0 || static_cast<size_t>(file.st_size) < bytes)
      return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a descriptor of less memory than its size");
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, given.objects[0].fd, 0);
    if (memory == MAP_FAILED) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface.mapped = static_cast<uint8_t*>(memory);
  }
  surface.mappedBytes = bytes;
  surface.isFilled = true;
  return VA_STATUS_SUCCESS;
}

VAStatus createSurfaces(VADriverContextP context, unsigned format, unsigned width, unsigned height,
                        VASurfaceID* ids, unsigned count, VASurfaceAttrib* attributes,
                        unsigned attributeCount) {
  FW_VA_CALL(CreateSurfaces);
  if (width == 0 || height == 0 || count == 0) return VA_STATUS_ERROR_INVALID_PARAMETER;
  uint32_t fourcc = format == VA_RT_FORMAT_YUV420_10 ? VA_FOURCC_P010 : VA_FOURCC_NV12;
  const VADRMPRIMESurfaceDescriptor* given = nullptr;
  uint32_t memoryType = VA_SURFACE_ATTRIB_MEM_TYPE_VA;
  for (unsigned i = 0; i < attributeCount; ++i) {
    const VASurfaceAttrib& attribute = attributes[i];
    if (attribute.type == VASurfaceAttribPixelFormat) fourcc = static_cast<uint32_t>(attribute.value.value.i);
    if (attribute.type == VASurfaceAttribMemoryType)
      memoryType = static_cast<uint32_t>(attribute.value.value.i);
    if (attribute.type == VASurfaceAttribExternalBufferDescriptor)
      given = static_cast<const VADRMPRIMESurfaceDescriptor*>(attribute.value.value.p);
  }
  const bool isOffered = fourcc == VA_FOURCC_NV12 || fourcc == VA_FOURCC_P010;
  if (!isOffered) return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
  if (memoryType != VA_SURFACE_ATTRIB_MEM_TYPE_VA && memoryType != VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2)
    return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  for (unsigned i = 0; i < count; ++i) {
    auto surface = std::make_shared<VaSurface>();
    surface->fourcc = fourcc;
    surface->width = static_cast<int>(width);
    surface->height = static_cast<int>(height);
    if (memoryType == VA_SURFACE_ATTRIB_MEM_TYPE_VA) {
      allocate(*surface, vaSetting("vulkan-import", 0) != 0);
    } else if (given == nullptr) {
      return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "an imported surface without a descriptor");
    } else if (const VAStatus status = import(*surface, given[i])) {
      return status;
    } else {
      surface->isForeign = true;
    }
    ids[i] = ++driver.lastId;
    driver.surfaces[ids[i]] = std::move(surface);
  }
  return VA_STATUS_SUCCESS;
}

VAStatus destroySurfaces(VADriverContextP context, VASurfaceID* ids, int count) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  for (int i = 0; i < count; ++i)
    if (driver.surfaces.erase(ids[i]) == 0)
      return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "an unknown surface is destroyed");
  return VA_STATUS_SUCCESS;
}

VAStatus surfaceAttributes(VADriverContextP, VAConfigID, VASurfaceAttrib* list, unsigned* count) {
  FW_VA_CALL(QuerySurfaceAttributes);
  const std::pair<VASurfaceAttribType, int> offered[] = {
      {VASurfaceAttribPixelFormat, VA_FOURCC_NV12},
      {VASurfaceAttribPixelFormat, VA_FOURCC_P010},
      {VASurfaceAttribMinWidth, 16},
      {VASurfaceAttribMinHeight, 16},
      {VASurfaceAttribMaxWidth, 4096},
      {VASurfaceAttribMaxHeight, 4096},
      {VASurfaceAttribMemoryType, VA_SURFACE_ATTRIB_MEM_TYPE_VA | VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2}};
  if (list != nullptr) {
    unsigned at = 0;
    for (const auto& [type, value] : offered) {
      VASurfaceAttrib& attribute = list[at++];
      attribute = {};
      attribute.type = type;
      attribute.flags = VA_SURFACE_ATTRIB_GETTABLE | VA_SURFACE_ATTRIB_SETTABLE;
      attribute.value.type = VAGenericValueTypeInteger;
      attribute.value.value.i = value;
    }
  }
  *count = static_cast<unsigned>(std::size(offered));
  return VA_STATUS_SUCCESS;
}

VAStatus syncSurface(VADriverContextP context, VASurfaceID id) {
  FW_VA_CALL(SyncSurface);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto surface = VaDriver::find(driver.surfaces, id);
  if (surface == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "vaSyncSurface of an unknown surface");
  surface->isSynchronised = true;
  return VA_STATUS_SUCCESS;
}

// Exports a surface as one object with a layer per plane.
VAStatus exportSurface(VADriverContextP context, VASurfaceID id, uint32_t memoryType, uint32_t flags,
                       void* descriptor) {
  FW_VA_CALL(ExportSurfaceHandle);
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto surface = VaDriver::find(driver.surfaces, id);
  if (surface == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "vaExportSurfaceHandle of an unknown surface");
  if (memoryType != VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2 ||
      flags != (VA_EXPORT_SURFACE_READ_ONLY | VA_EXPORT_SURFACE_SEPARATE_LAYERS))
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "an export that the substitute lacks");
  if (!surface->isFilled || !surface->isSynchronised)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "a surface is exported before it is decoded");
  const int fd = surface->device == VK_NULL_HANDLE ? -1 : Importer::ofProcess().exportFd(surface->device);
  if (fd < 0) return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
  const bool isDeep = surface->fourcc == VA_FOURCC_P010;
  auto& given = *static_cast<VADRMPRIMESurfaceDescriptor*>(descriptor);
  given = {};
  given.fourcc = surface->fourcc;
  given.width = static_cast<uint32_t>(surface->width);
  given.height = static_cast<uint32_t>(surface->height);
  given.num_objects = 1;
  given.objects[0] = {fd, static_cast<uint32_t>(surface->bytes()), vaSetting("tiled", 0) != 0 ? 1 : kLinear};
  given.num_layers = 2;
  const uint32_t formats[2][2] = {{VA_FOURCC('R', '8', ' ', ' '), VA_FOURCC('G', 'R', '8', '8')},
                                  {VA_FOURCC('R', '1', '6', ' '), VA_FOURCC('G', 'R', '3', '2')}};
  for (int p = 0; p < 2; ++p) {
    given.layers[p].drm_format = formats[isDeep ? 1 : 0][p];
    given.layers[p].num_planes = 1;
    given.layers[p].offset[0] = static_cast<uint32_t>(surface->offsets[p]);
    given.layers[p].pitch[0] = static_cast<uint32_t>(surface->pitches[p]);
  }
  return VA_STATUS_SUCCESS;
}

VAStatus imageFormats(VADriverContextP, VAImageFormat* list, int* count) {
  list[0] = formatOf(VA_FOURCC_NV12);
  list[1] = formatOf(VA_FOURCC_P010);
  *count = 2;
  return VA_STATUS_SUCCESS;
}

// Registers an image of a layout, with the buffer that has its samples.
void add(VaDriver& driver, const VaSurface& layout, std::shared_ptr<VaBuffer> buffer, VAImage& image) {
  image = {};
  image.format = formatOf(layout.fourcc);
  image.width = static_cast<uint16_t>(layout.width);
  image.height = static_cast<uint16_t>(layout.height);
  image.data_size = static_cast<uint32_t>(layout.bytes());
  image.num_planes = 2;
  for (int p = 0; p < 2; ++p) {
    image.offsets[p] = static_cast<uint32_t>(layout.offsets[p]);
    image.pitches[p] = static_cast<uint32_t>(layout.pitches[p]);
  }
  buffer->type = VAImageBufferType;
  image.buf = ++driver.lastId;
  driver.buffers[image.buf] = std::move(buffer);
  image.image_id = ++driver.lastId;
  driver.images[image.image_id] = image;
}

VAStatus createImage(VADriverContextP context, VAImageFormat* format, int width, int height, VAImage* image) {
  FW_VA_CALL(CreateImage);
  VaSurface layout;
  layout.fourcc = format->fourcc;
  layout.width = width;
  layout.height = height;
  allocate(layout);
  auto buffer = std::make_shared<VaBuffer>();
  buffer->bytes.resize(layout.own.size());
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  add(driver, layout, std::move(buffer), *image);
  return VA_STATUS_SUCCESS;
}

VAStatus deriveImage(VADriverContextP context, VASurfaceID id, VAImage* image) {
  FW_VA_CALL(DeriveImage);
  if (vaSetting("no-derive", 0) != 0) return VA_STATUS_ERROR_OPERATION_FAILED;
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto surface = VaDriver::find(driver.surfaces, id);
  if (surface == nullptr) return VA_STATUS_ERROR_INVALID_SURFACE;
  auto buffer = std::make_shared<VaBuffer>();
  buffer->surface = id;
  add(driver, *surface, std::move(buffer), *image);
  return VA_STATUS_SUCCESS;
}

VAStatus destroyImage(VADriverContextP context, VAImageID id) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto found = driver.images.find(id);
  if (found == driver.images.end())
    return refuse(VA_STATUS_ERROR_INVALID_IMAGE, "an unknown image is destroyed");
  const auto buffer = VaDriver::find(driver.buffers, found->second.buf);
  if (buffer != nullptr && buffer->isMapped) report("an image is destroyed while it is mapped");
  driver.buffers.erase(found->second.buf);
  driver.images.erase(found);
  return VA_STATUS_SUCCESS;
}

// Copies rows between a surface and an image of its format.
VAStatus copyImage(VADriverContextP context, VASurfaceID id, VAImageID imageId, unsigned width,
                   unsigned height, bool isUpload) {
  VaDriver& driver = driverOf(context);
  std::lock_guard lock(driver.mutex);
  const auto surface = VaDriver::find(driver.surfaces, id);
  const auto image = driver.images.find(imageId);
  if (surface == nullptr || image == driver.images.end()) return VA_STATUS_ERROR_INVALID_IMAGE;
  const auto buffer = VaDriver::find(driver.buffers, image->second.buf);
  if (image->second.format.fourcc != surface->fourcc || static_cast<int>(width) > surface->width ||
      static_cast<int>(height) > surface->height || buffer->bytes.empty())
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "an image that does not fit its surface");
  for (int p = 0; p < 2; ++p) {
    const size_t rows = p == 0 ? height : (height + 1) / 2;
    const size_t bytes = (p == 0 ? width : (width + 1) / 2 * 2) * sampleBytes(*surface);
    for (size_t y = 0; y < rows; ++y) {
      uint8_t* const own = surface->plane(p) + y * surface->pitches[p];
      uint8_t* const other = buffer->bytes.data() + image->second.offsets[p] + y * image->second.pitches[p];
      isUpload ? std::memcpy(own, other, bytes) : std::memcpy(other, own, bytes);
    }
  }
  surface->isFilled = true;
  return VA_STATUS_SUCCESS;
}

VAStatus getImage(VADriverContextP context, VASurfaceID surface, int, int, unsigned width, unsigned height,
                  VAImageID image) {
  FW_VA_CALL(GetImage);
  return copyImage(context, surface, image, width, height, false);
}

VAStatus putImage(VADriverContextP context, VASurfaceID surface, VAImageID image, int, int, unsigned width,
                  unsigned height, int, int, unsigned, unsigned) {
  FW_VA_CALL(PutImage);
  return copyImage(context, surface, image, width, height, true);
}

}  // namespace

void addSurfaceFunctions(VADriverVTable& table) {
  table.vaCreateSurfaces2 = createSurfaces;
  table.vaDestroySurfaces = destroySurfaces;
  table.vaQuerySurfaceAttributes = surfaceAttributes;
  table.vaSyncSurface = syncSurface;
  table.vaExportSurfaceHandle = exportSurface;
  table.vaQueryImageFormats = imageFormats;
  table.vaCreateImage = createImage;
  table.vaDeriveImage = deriveImage;
  table.vaDestroyImage = destroyImage;
  table.vaGetImage = getImage;
  table.vaPutImage = putImage;
}

}  // namespace substitute
