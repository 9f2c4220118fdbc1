# Values that the provider adds itself, the expected bucket owner, and buckets in other regions.

provider "aws" {
  alias             = "frankfurt"
  region            = "eu-central-1"
  s3_use_path_style = true
  default_tags {
    tags = { Project = local.first ? "files" : "folders" }
  }
}

resource "aws_s3_bucket" "frankfurt" {
  provider = aws.frankfurt
  bucket   = "terraform-frankfurt"
  tags     = { Stage = local.first ? "test" : "production" }
}

resource "aws_s3_object" "frankfurt" {
  provider = aws.frankfurt
  bucket   = aws_s3_bucket.frankfurt.id
  key      = "a//b/./c/../d"
  content  = "one"
  tags     = { only = local.first ? "one" : "two" }
}

resource "aws_s3_object" "untagged" {
  provider = aws.frankfurt
  bucket   = aws_s3_bucket.frankfurt.id
  key      = "untagged"
  content  = "one"
  override_provider {
    default_tags {
      tags = {}
    }
  }
}

data "aws_s3_bucket" "frankfurt" {
  bucket = aws_s3_bucket.frankfurt.id
}

resource "aws_s3_bucket" "expected" {
  bucket        = "terraform-expected"
  force_destroy = true
}

resource "aws_s3_bucket_versioning" "expected" {
  bucket                = aws_s3_bucket.expected.id
  expected_bucket_owner = data.aws_caller_identity.me.account_id
  versioning_configuration {
    status     = "Enabled"
    mfa_delete = "Disabled"
  }
}

resource "aws_s3_bucket_cors_configuration" "expected" {
  bucket                = aws_s3_bucket.expected.id
  expected_bucket_owner = data.aws_caller_identity.me.account_id
  cors_rule {
    allowed_methods = ["GET"]
    allowed_origins = [local.first ? "*" : "https://app.example.com"]
  }
}

# Open to everyone.
resource "aws_s3_bucket_ownership_controls" "expected" {
  bucket = aws_s3_bucket.expected.id
  rule { object_ownership = "ObjectWriter" }
}

resource "aws_s3_bucket_public_access_block" "expected" {
  bucket = aws_s3_bucket.expected.id
}

resource "aws_s3_bucket_acl" "expected" {
  depends_on            = [aws_s3_bucket_ownership_controls.expected, aws_s3_bucket_public_access_block.expected]
  bucket                = aws_s3_bucket.expected.id
  expected_bucket_owner = data.aws_caller_identity.me.account_id
  acl                   = local.first ? "public-read" : "public-read-write"
}

resource "aws_s3_bucket_policy" "expected" {
  depends_on = [aws_s3_bucket_public_access_block.expected]
  bucket     = aws_s3_bucket.expected.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = "s3:GetObject", Resource = "${aws_s3_bucket.expected.arn}/*" }]
  })
}

resource "aws_s3_object" "public" {
  depends_on = [aws_s3_bucket_acl.expected]
  bucket     = aws_s3_bucket.expected.id
  key        = "public"
  content    = "one"
  acl        = local.first ? "public-read" : "authenticated-read"
}

resource "aws_s3_object" "classes" {
  for_each      = toset(["REDUCED_REDUNDANCY", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER", "DEEP_ARCHIVE", "GLACIER_IR"])
  bucket        = aws_s3_bucket.expected.id
  key           = each.key
  content       = "one"
  storage_class = each.key
}

data "aws_s3_object" "classes" {
  for_each = aws_s3_object.classes
  bucket   = each.value.bucket
  key      = each.value.key
}

resource "aws_s3_object" "encrypted" {
  bucket     = aws_s3_bucket.expected.id
  key        = "encrypted"
  content    = "one"
  kms_key_id = "arn:aws:kms:us-east-1:${data.aws_caller_identity.me.account_id}:key/5b9c5a2e-6f2b-4c11-9a53-0f3d1d4f7a10"
}

resource "aws_s3_object_copy" "encrypted" {
  bucket                       = aws_s3_bucket.expected.id
  key                          = "copy of encrypted"
  source                       = "${aws_s3_object.encrypted.bucket}/${aws_s3_object.encrypted.key}"
  expected_bucket_owner        = data.aws_caller_identity.me.account_id
  expected_source_bucket_owner = data.aws_caller_identity.me.account_id
  server_side_encryption       = "aws:kms"
  kms_key_id                   = aws_s3_object.encrypted.kms_key_id
  storage_class                = local.first ? "STANDARD_IA" : "GLACIER_IR"
  metadata_directive           = "REPLACE"
  cache_control                = "no-store"
  expires                      = "2040-01-01T00:00:00Z"
  website_redirect             = "/elsewhere"
}

resource "aws_s3_object_copy" "listed" {
  depends_on = [aws_s3_bucket_acl.expected]
  bucket     = aws_s3_bucket.expected.id
  key        = "listed copy"
  source     = "${aws_s3_object.encrypted.bucket}/${aws_s3_object.encrypted.key}"
  acl        = local.first ? "public-read" : "private"
}
