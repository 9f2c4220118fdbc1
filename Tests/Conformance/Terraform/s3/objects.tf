# Objects, and the data sources of buckets and objects.

resource "aws_s3_bucket" "objects" {
  bucket = "terraform-objects"
}

resource "aws_s3_bucket_versioning" "objects" {
  bucket = aws_s3_bucket.objects.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket_ownership_controls" "objects" {
  bucket = aws_s3_bucket.objects.id
  rule { object_ownership = "BucketOwnerPreferred" }
}

resource "aws_s3_object" "text" {
  bucket                 = aws_s3_bucket_versioning.objects.bucket
  key                    = "folder/text with ümlaut & more.txt"
  content                = local.first ? "one" : "another"
  content_type           = local.first ? "text/plain" : "text/plain; charset=utf-8"
  cache_control          = local.first ? "no-cache" : "max-age=60"
  content_disposition    = "attachment; filename=\"text.txt\""
  content_encoding       = "identity"
  content_language       = local.first ? "en" : "de"
  metadata               = local.first ? { author = "alice" } : { author = "bob", reviewed = "yes" }
  storage_class          = local.first ? "STANDARD" : "STANDARD_IA"
  server_side_encryption = "AES256"
  tags                   = local.first ? { a = "1" } : { a = "2", "b c" = "d/e=f" }
}

resource "aws_s3_object" "hashed" {
  bucket             = aws_s3_bucket.objects.id
  key                = "hashed"
  content_base64     = base64encode(local.first ? "one" : "another")
  checksum_algorithm = local.first ? "SHA256" : "CRC32"
  etag               = md5(local.first ? "one" : "another")
}

resource "aws_s3_object" "crc64" {
  bucket             = aws_s3_bucket.objects.id
  key                = "crc64"
  content            = "one"
  checksum_algorithm = local.first ? "CRC64NVME" : "CRC32C"
}

resource "aws_s3_object" "from_file" {
  bucket           = aws_s3_bucket.objects.id
  key              = "main.tf"
  source           = "${path.module}/main.tf"
  source_hash      = filemd5("${path.module}/main.tf")
  website_redirect = local.first ? "/one" : "https://example.com/two"
}

resource "aws_s3_object" "with_list" {
  depends_on = [aws_s3_bucket_ownership_controls.objects]
  bucket     = aws_s3_bucket.objects.id
  key        = "with-list"
  content    = "one"
  acl        = local.first ? "private" : "bucket-owner-full-control"
}

resource "aws_s3_object" "folder" {
  bucket = aws_s3_bucket.objects.id
  key    = "empty-folder/"
}

resource "aws_s3_object" "keyed" {
  bucket                 = aws_s3_bucket.objects.id
  key                    = "keyed"
  content                = "one"
  server_side_encryption = "aws:kms"
  bucket_key_enabled     = local.first
}

# Retained for a long time: destroyed by force, with a bypass of governance.
resource "aws_s3_object" "retained" {
  bucket                        = aws_s3_bucket.locked.id
  key                           = "retained"
  content                       = "one"
  force_destroy                 = true
  object_lock_mode              = "GOVERNANCE"
  object_lock_retain_until_date = local.first ? "2040-01-01T00:00:00Z" : "2039-01-01T00:00:00Z"
  object_lock_legal_hold_status = local.first ? "ON" : "OFF"
}

resource "aws_s3_bucket_object" "deprecated" {
  bucket   = aws_s3_bucket.objects.id
  key      = "deprecated"
  content  = local.first ? "one" : "another"
  metadata = { a = "b" }
  tags     = { a = local.first ? "1" : "2" }
}

resource "aws_s3_object_copy" "copy" {
  bucket             = aws_s3_bucket.objects.id
  key                = "copies/of text"
  source             = "${aws_s3_object.text.bucket}/${aws_s3_object.text.key}"
  metadata_directive = "REPLACE"
  tagging_directive  = "REPLACE"
  content_type       = "text/markdown"
  metadata           = { copied = local.first ? "once" : "twice" }
  tags               = { copy = local.first ? "1" : "2" }
  checksum_algorithm = "SHA1"
}

resource "aws_s3_object_copy" "granted" {
  depends_on         = [aws_s3_bucket_ownership_controls.objects]
  bucket             = aws_s3_bucket.objects.id
  key                = "copies/granted"
  source             = "${aws_s3_object.hashed.bucket}/${aws_s3_object.hashed.key}"
  copy_if_none_match = "no-such-etag"
  grant {
    type        = "CanonicalUser"
    id          = data.aws_canonical_user_id.me.id
    permissions = local.first ? ["FULL_CONTROL"] : ["READ", "READ_ACP"]
  }
}

data "aws_s3_bucket" "tagged" {
  bucket = aws_s3_bucket.tagged.id
}

data "aws_s3_bucket_policy" "access" {
  bucket = aws_s3_bucket_policy.access.bucket
}

data "aws_s3_object" "text" {
  bucket        = aws_s3_object.text.bucket
  key           = aws_s3_object.text.key
  checksum_mode = "ENABLED"
}

data "aws_s3_object" "part" {
  bucket     = aws_s3_object.text.bucket
  key        = aws_s3_object.text.key
  version_id = aws_s3_object.text.version_id
  range      = "bytes=0-1"
}

data "aws_s3_bucket_object" "deprecated" {
  bucket = aws_s3_bucket_object.deprecated.bucket
  key    = aws_s3_bucket_object.deprecated.key
}

data "aws_s3_objects" "folder" {
  bucket      = aws_s3_object.text.bucket
  prefix      = "folder/"
  fetch_owner = true
  depends_on  = [aws_s3_object.from_file]
}

data "aws_s3_objects" "folders" {
  bucket      = aws_s3_object.text.bucket
  delimiter   = "/"
  max_keys    = 3
  start_after = "a"
  depends_on  = [aws_s3_object_copy.copy, aws_s3_object_copy.granted, aws_s3_object.folder, aws_s3_object.crc64]
}

data "aws_s3_bucket_objects" "deprecated" {
  bucket = aws_s3_bucket_object.deprecated.bucket
  prefix = "dep"
}

output "read" {
  value = {
    bucket   = data.aws_s3_bucket.tagged
    text     = data.aws_s3_object.text
    part     = data.aws_s3_object.part.body
    folder   = data.aws_s3_objects.folder
    folders  = data.aws_s3_objects.folders
    old      = data.aws_s3_bucket_objects.deprecated.keys
    old_body = data.aws_s3_bucket_object.deprecated.body
    user     = data.aws_canonical_user_id.me
    policy   = data.aws_s3_bucket_policy.access.policy
  }
}
