#include <algorithm>

#include "codec/h264_headers.h"
#include "codec/hevc_headers.h"
#include "vaapi/driver.h"

namespace substitute {
namespace {

H264Headers headersOf(const VAPictureParameterBufferH264& picture, const VASliceParameterBufferH264& slice) {
  const auto& sequence = picture.seq_fields.bits;
  const auto& fields = picture.pic_fields.bits;
  H264Headers headers;
  headers.widthInMbs = picture.picture_width_in_mbs_minus1 + 1;
  headers.heightInMbs = picture.picture_height_in_mbs_minus1 + 1;
  headers.log2MaxFrameNum = static_cast<int>(sequence.log2_max_frame_num_minus4) + 4;
  headers.pocType = static_cast<int>(sequence.pic_order_cnt_type);
  headers.log2MaxPocLsb = static_cast<int>(sequence.log2_max_pic_order_cnt_lsb_minus4) + 4;
  headers.isFramesOnly = sequence.frame_mbs_only_flag != 0;
  headers.isMbaff = sequence.mb_adaptive_frame_field_flag != 0;
  headers.isDirect8x8 = sequence.direct_8x8_inference_flag != 0;
  headers.referenceFrames = picture.num_ref_frames;
  headers.isCabac = fields.entropy_coding_mode_flag != 0;
  headers.hasPocInFrame = fields.pic_order_present_flag != 0;
  headers.isWeighted = fields.weighted_pred_flag != 0;
  headers.weightedBipred = static_cast<int>(fields.weighted_bipred_idc);
  // The counts of the slice: its own where it overrides the defaults, otherwise the defaults.
  headers.references[0] = slice.num_ref_idx_l0_active_minus1 + 1;
  headers.references[1] = slice.num_ref_idx_l1_active_minus1 + 1;
  headers.initialQp = picture.pic_init_qp_minus26 + 26;
  headers.chromaQpOffsets[0] = picture.chroma_qp_index_offset;
  headers.chromaQpOffsets[1] = picture.second_chroma_qp_index_offset;
  headers.hasDeblockingControl = fields.deblocking_filter_control_present_flag != 0;
  headers.isConstrainedIntra = fields.constrained_intra_pred_flag != 0;
  headers.hasRedundantPictures = fields.redundant_pic_cnt_present_flag != 0;
  headers.is8x8 = fields.transform_8x8_mode_flag != 0;
  return headers;
}

CUVIDHEVCPICPARAMS cuvidOf(const VAPictureParameterBufferHEVC& picture) {
  const auto& fields = picture.pic_fields.bits;
  const auto& parsing = picture.slice_parsing_fields.bits;
  CUVIDHEVCPICPARAMS same{};
  same.pic_width_in_luma_samples = picture.pic_width_in_luma_samples;
  same.pic_height_in_luma_samples = picture.pic_height_in_luma_samples;
  same.log2_min_luma_coding_block_size_minus3 = picture.log2_min_luma_coding_block_size_minus3;
  same.log2_diff_max_min_luma_coding_block_size = picture.log2_diff_max_min_luma_coding_block_size;
  same.log2_min_transform_block_size_minus2 = picture.log2_min_transform_block_size_minus2;
  same.log2_diff_max_min_transform_block_size = picture.log2_diff_max_min_transform_block_size;
  same.pcm_enabled_flag = fields.pcm_enabled_flag;
  same.strong_intra_smoothing_enabled_flag = fields.strong_intra_smoothing_enabled_flag;
  same.max_transform_hierarchy_depth_intra = picture.max_transform_hierarchy_depth_intra;
  same.max_transform_hierarchy_depth_inter = picture.max_transform_hierarchy_depth_inter;
  same.amp_enabled_flag = fields.amp_enabled_flag;
  same.log2_max_pic_order_cnt_lsb_minus4 = picture.log2_max_pic_order_cnt_lsb_minus4;
  same.num_short_term_ref_pic_sets = picture.num_short_term_ref_pic_sets;
  same.long_term_ref_pics_present_flag = parsing.long_term_ref_pics_present_flag;
  same.sps_temporal_mvp_enabled_flag = parsing.sps_temporal_mvp_enabled_flag;
  same.sample_adaptive_offset_enabled_flag = parsing.sample_adaptive_offset_enabled_flag;
  same.scaling_list_enable_flag = fields.scaling_list_enabled_flag;
  same.bit_depth_luma_minus8 = picture.bit_depth_luma_minus8;
  same.bit_depth_chroma_minus8 = picture.bit_depth_chroma_minus8;
  same.dependent_slice_segments_enabled_flag = parsing.dependent_slice_segments_enabled_flag;
  same.slice_segment_header_extension_present_flag = parsing.slice_segment_header_extension_present_flag;
  same.sign_data_hiding_enabled_flag = fields.sign_data_hiding_enabled_flag;
  same.cu_qp_delta_enabled_flag = fields.cu_qp_delta_enabled_flag;
  same.diff_cu_qp_delta_depth = picture.diff_cu_qp_delta_depth;
  same.init_qp_minus26 = picture.init_qp_minus26;
  same.pps_cb_qp_offset = picture.pps_cb_qp_offset;
  same.pps_cr_qp_offset = picture.pps_cr_qp_offset;
  same.constrained_intra_pred_flag = fields.constrained_intra_pred_flag;
  same.weighted_pred_flag = fields.weighted_pred_flag;
  same.weighted_bipred_flag = fields.weighted_bipred_flag;
  same.transform_skip_enabled_flag = fields.transform_skip_enabled_flag;
  same.transquant_bypass_enabled_flag = fields.transquant_bypass_enabled_flag;
  same.entropy_coding_sync_enabled_flag = fields.entropy_coding_sync_enabled_flag;
  same.log2_parallel_merge_level_minus2 = picture.log2_parallel_merge_level_minus2;
  same.num_extra_slice_header_bits = picture.num_extra_slice_header_bits;
  same.loop_filter_across_slices_enabled_flag = fields.pps_loop_filter_across_slices_enabled_flag;
  same.output_flag_present_flag = parsing.output_flag_present_flag;
  same.num_ref_idx_l0_default_active_minus1 = picture.num_ref_idx_l0_default_active_minus1;
  same.num_ref_idx_l1_default_active_minus1 = picture.num_ref_idx_l1_default_active_minus1;
  same.lists_modification_present_flag = parsing.lists_modification_present_flag;
  same.cabac_init_present_flag = parsing.cabac_init_present_flag;
  same.pps_slice_chroma_qp_offsets_present_flag = parsing.pps_slice_chroma_qp_offsets_present_flag;
  same.deblocking_filter_override_enabled_flag = parsing.deblocking_filter_override_enabled_flag;
  same.pps_deblocking_filter_disabled_flag = parsing.pps_disable_deblocking_filter_flag;
  same.pps_beta_offset_div2 = picture.pps_beta_offset_div2;
  same.pps_tc_offset_div2 = picture.pps_tc_offset_div2;
  same.tiles_enabled_flag = fields.tiles_enabled_flag;
  return same;
}

// The buffers of a picture: its parameters, then each slice's parameters and data.
struct Picture {
  const VaBuffer* parameters = nullptr;
  std::vector<const VaBuffer*> sliceParameters, sliceData;
};

Picture sorted(const VaContext& context) {
  Picture picture;
  for (const auto& buffer : context.buffers) {
    if (buffer->type == VAPictureParameterBufferType) picture.parameters = buffer.get();
    if (buffer->type == VASliceParameterBufferType) picture.sliceParameters.push_back(buffer.get());
    if (buffer->type == VASliceDataBufferType) picture.sliceData.push_back(buffer.get());
  }
  return picture;
}

// A reference must be a picture that is still in its surface.
bool isReference(const VaDriver& driver, VASurfaceID id, int order) {
  const auto surface = VaDriver::find(driver.surfaces, id);
  return surface != nullptr && surface->isFilled && surface->order == order;
}

// Appends the slices as NAL units; false if one is not where its parameters say.
template <class Slice>
bool appendSlices(const Picture& picture, std::vector<uint8_t>& stream) {
  for (size_t i = 0; i < picture.sliceParameters.size(); ++i) {
    const auto& slice = picture.sliceParameters[i]->template as<Slice>();
    const std::vector<uint8_t>& data = picture.sliceData[i]->bytes;
    if (size_t{slice.slice_data_offset} + slice.slice_data_size > data.size()) return false;
    stream.insert(stream.end(), {0, 0, 1});
    stream.insert(stream.end(), data.begin() + slice.slice_data_offset,
                  data.begin() + slice.slice_data_offset + slice.slice_data_size);
  }
  return true;
}

bool h264Stream(const VaDriver& driver, const Picture& picture, std::vector<uint8_t>& stream, int& order) {
  const auto& parameters = picture.parameters->as<VAPictureParameterBufferH264>();
  order = parameters.CurrPic.TopFieldOrderCnt;
  if (parameters.pic_fields.bits.field_pic_flag != 0 || parameters.seq_fields.bits.pic_order_cnt_type == 1)
    return false;
  for (const VAPictureH264& reference : parameters.ReferenceFrames) {
    const bool isUsed = (reference.flags & VA_PICTURE_H264_INVALID) == 0;
    if (isUsed && !isReference(driver, reference.picture_id, reference.TopFieldOrderCnt)) return false;
  }
  const auto& slice = picture.sliceParameters[0]->as<VASliceParameterBufferH264>();
  const std::vector<uint8_t>& data = picture.sliceData[0]->bytes;
  stream = parameterSetsOf(headersOf(parameters, slice), parameterSetOfSlice(data.data(), data.size()));
  return appendSlices<VASliceParameterBufferH264>(picture, stream);
}

bool hevcStream(const VaDriver& driver, const Picture& picture, std::vector<uint8_t>& stream, int& order) {
  const auto& parameters = picture.parameters->as<VAPictureParameterBufferHEVC>();
  order = parameters.CurrPic.pic_order_cnt;
  for (const VAPictureHEVC& reference : parameters.ReferenceFrames) {
    const bool isUsed = (reference.flags & VA_PICTURE_HEVC_INVALID) == 0;
    if (isUsed && !isReference(driver, reference.picture_id, reference.pic_order_cnt)) return false;
  }
  stream = parameterSetsOf(cuvidOf(parameters));
  return !stream.empty() && appendSlices<VASliceParameterBufferHEVC>(picture, stream);
}

AVCodecID codecOf(VAProfile profile) {
  if (profile == VAProfileVP9Profile0 || profile == VAProfileVP9Profile2) return AV_CODEC_ID_VP9;
  return profile == VAProfileHEVCMain || profile == VAProfileHEVCMain10 ? AV_CODEC_ID_HEVC : AV_CODEC_ID_H264;
}

}  // namespace

VAStatus decodePicture(VaDriver& driver, VaContext& context) {
  const Picture picture = sorted(context);
  if (picture.parameters == nullptr || picture.sliceData.empty() ||
      picture.sliceParameters.size() != picture.sliceData.size())
    return refuse(VA_STATUS_ERROR_INVALID_BUFFER, "a picture without parameters or slices");
  const AVCodecID codec = codecOf(context.config.profile);
  std::vector<uint8_t> stream;
  int order = 0;
  bool isComplete = true;
  if (codec == AV_CODEC_ID_H264)
    isComplete = h264Stream(driver, picture, stream, order);
  else if (codec == AV_CODEC_ID_HEVC)
    isComplete = hevcStream(driver, picture, stream, order);
  else
    stream = picture.sliceData[0]->bytes;
  if (!isComplete)
    return refuse(VA_STATUS_ERROR_INVALID_PARAMETER, "a picture with wrong references, slices or parameters");
  if (context.decoder == nullptr) context.decoder = std::make_unique<PictureDecoder>(codec);
  const AVFrame* const frame = context.decoder->decode(stream);
  const auto target = VaDriver::find(driver.surfaces, context.target);
  if (frame == nullptr || frame->width > target->width || frame->height > target->height ||
      (frame->format == AV_PIX_FMT_YUV420P10LE) != (target->fourcc == VA_FOURCC_P010))
    return refuse(VA_STATUS_ERROR_DECODING_ERROR, "a picture that is not decoded into its surface");
  target->order = order;
  target->isFilled = true;
  target->isSynchronised = false;
  toSurface(*frame, frame->width, frame->height, target->plane(0), target->pitches[0], target->plane(1),
            target->pitches[1]);
  return VA_STATUS_SUCCESS;
}

}  // namespace substitute
