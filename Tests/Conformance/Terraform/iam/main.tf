# Every IAM resource of the provider except `aws_iam_organizations_features`: the sandbox has no organizations.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

# In the second step everything that can be changed in place has another value.
variable "step" {
  type    = number
  default = 1
}

provider "aws" {
  default_tags {
    tags = { Fleet = "north" }
  }
}

locals {
  first = var.step == 1
  tags  = local.first ? { Deck = "upper", Watch = "first" } : { Deck = "lower", Bell = "8 bells / @home" }

  read = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "s3:GetObject", Resource = local.first ? "*" : "arn:aws:s3:::*" },
      { Effect = "Deny", Action = ["iam:CreateUser", "iam:DeleteUser"], Resource = ["*"] },
    ]
  })
}
