#include <cstring>

#include "vaapi/driver.h"

namespace substitute {
namespace {

// Bytes of a packed header without start codes and emulation prevention.
struct PackedHeader {
  std::vector<uint8_t> bytes;
  size_t bits = 0;
};

PackedHeader unpack(const std::vector<uint8_t>& data, size_t bits, bool hasEmulation) {
  size_t at = 0;
  while (at + 3 < data.size() && data[at] == 0) ++at;  // 00 00 01 or 00 00 00 01
  ++at;
  PackedHeader header{{}, bits - 8 * at};
  int zeros = 0;
  for (; at < (bits + 7) / 8; ++at) {
    if (hasEmulation && zeros >= 2 && data[at] == 3) {
      header.bits -= 8;
      zeros = 0;
      continue;
    }
    header.bytes.push_back(data[at]);
    zeros = data[at] == 0 ? zeros + 1 : 0;
  }
  return header;
}

// Each parameter buffer announces the data buffer that follows it.
bool appendHeaders(const VaContext& context, std::vector<uint8_t>& stream, PackedHeader& sliceHeader) {
  const VaBuffer* announced = nullptr;
  for (const auto& buffer : context.buffers) {
    if (buffer->type == VAEncPackedHeaderParameterBufferType) {
      if (announced != nullptr) return false;
      announced = buffer.get();
    } else if (buffer->type == VAEncPackedHeaderDataBufferType) {
      if (announced == nullptr) return false;
      const auto& header = announced->as<VAEncPackedHeaderParameterBuffer>();
      if ((size_t{header.bit_length} + 7) / 8 > buffer->bytes.size()) return false;
      if (header.type == VAEncPackedHeaderSlice)
        sliceHeader = unpack(buffer->bytes, header.bit_length, header.has_emulation_bytes != 0);
      else
        stream.insert(stream.end(), buffer->bytes.begin(),
                      buffer->bytes.begin() + (header.bit_length + 7) / 8);
      announced = nullptr;
    }
  }
  return announced == nullptr && sliceHeader.bits > 0;
}

template <class Params>
const Params* findParams(const VaContext& context, VABufferType type) {
  const Params* found = nullptr;
  for (const auto& buffer : context.buffers)
    if (buffer->type == type) found = &buffer->as<Params>();
  return found;
}

}  // namespace

VAStatus encodePicture(VaDriver& driver, VaContext& context) {
  const auto* const picture =
      findParams<VAEncPictureParameterBufferH264>(context, VAEncPictureParameterBufferType);
  const auto* const slice = findParams<VAEncSliceParameterBufferH264>(context, VAEncSliceParameterBufferType);
  if (picture == nullptr || slice == nullptr)
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a picture without parameters or without a slice");
  const auto source = VaDriver::find(driver.surfaces, context.target);
  const auto reconstructed = VaDriver::find(driver.surfaces, picture->CurrPic.picture_id);
  const auto coded = VaDriver::find(driver.buffers, picture->coded_buf);
  if (source == nullptr || !source->isFilled || reconstructed == nullptr || reconstructed == source)
    return refuse(VA_STATUS_ERROR_INVALID_SURFACE, "a picture without a frame or without room to rebuild it");
  if (source->isForeign && vaSetting("own-only", 0) != 0) return VA_STATUS_ERROR_INVALID_SURFACE;
  if (coded == nullptr || coded->type != VAEncCodedBufferType || coded->isMapped)
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a coded buffer that is missing or mapped");
  const bool isIntra = slice->slice_type % 5 == 2;
  if (!isIntra) {
    const auto reference = VaDriver::find(driver.surfaces, slice->RefPicList0[0].picture_id);
    if (slice->slice_type % 5 != 0 || reference == nullptr || !reference->isFilled ||
        reference->order != slice->RefPicList0[0].TopFieldOrderCnt)
      return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a slice that refers to another picture");
  }
  const int macroblocks = ((context.width + 15) / 16) * ((context.height + 15) / 16);
  if (slice->macroblock_address != 0 || static_cast<int>(slice->num_macroblocks) != macroblocks ||
      slice->cabac_init_idc != 0 || picture->pic_fields.bits.entropy_coding_mode_flag == 0)
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a slice of a kind that the substitute cannot write");
  std::vector<uint8_t> stream;
  PackedHeader header;
  if (!appendHeaders(context, stream, header))
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a picture whose headers are incomplete");
  const Nv12 frame{source->plane(0),   source->plane(1), source->pitches[0],
                   source->pitches[1], source->width,    source->height};
  appendPcmSlice(stream, header.bytes, header.bits, {isIntra, picture->pic_init_qp + slice->slice_qp_delta},
                 frame);
  if (stream.size() > size_t{coded->size} * coded->count)
    return refuse(VA_STATUS_ERROR_NOT_ENOUGH_BUFFER, "a coded buffer that is too small");
  coded->bytes = std::move(stream);
  reconstructed->isFilled = true;
  reconstructed->order = picture->CurrPic.TopFieldOrderCnt;
  return VA_STATUS_SUCCESS;
}

}  // namespace substitute
