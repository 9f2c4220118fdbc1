# Access control of a bucket.

resource "aws_s3_bucket" "access" {
  bucket = "terraform-access"
}

resource "aws_s3_bucket_public_access_block" "access" {
  bucket                  = aws_s3_bucket.access.id
  block_public_acls       = local.first
  block_public_policy     = false
  ignore_public_acls      = local.first
  restrict_public_buckets = false
}

resource "aws_s3_bucket_ownership_controls" "access" {
  bucket = aws_s3_bucket.access.id
  rule {
    object_ownership = local.first ? "ObjectWriter" : "BucketOwnerPreferred"
  }
}

resource "aws_s3_bucket_acl" "access" {
  depends_on = [aws_s3_bucket_ownership_controls.access, aws_s3_bucket_public_access_block.access]
  bucket     = aws_s3_bucket.access.id
  acl        = local.first ? "private" : "authenticated-read"
}

resource "aws_s3_bucket" "grants" {
  bucket = "terraform-grants"
}

resource "aws_s3_bucket_ownership_controls" "grants" {
  bucket = aws_s3_bucket.grants.id
  rule { object_ownership = "BucketOwnerPreferred" }
}

resource "aws_s3_bucket_acl" "grants" {
  depends_on = [aws_s3_bucket_ownership_controls.grants]
  bucket     = aws_s3_bucket.grants.id
  access_control_policy {
    owner { id = data.aws_canonical_user_id.me.id }
    grant {
      permission = "FULL_CONTROL"
      grantee {
        type = "CanonicalUser"
        id   = data.aws_canonical_user_id.me.id
      }
    }
    grant {
      permission = local.first ? "WRITE" : "READ_ACP"
      grantee {
        type = "Group"
        uri  = "http://acs.amazonaws.com/groups/s3/LogDelivery"
      }
    }
  }
}

resource "aws_s3_bucket_policy" "access" {
  depends_on = [aws_s3_bucket_public_access_block.access]
  bucket     = aws_s3_bucket.access.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Read"
      Effect    = "Allow"
      Principal = { AWS = local.first ? data.aws_caller_identity.me.account_id : aws_iam_role.replication.arn }
      Action    = local.first ? ["s3:GetObject"] : ["s3:GetObject", "s3:ListBucket"]
      Resource  = ["arn:aws:s3:::terraform-access", "arn:aws:s3:::terraform-access/*"]
    }]
  })
}
