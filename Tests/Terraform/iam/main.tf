terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

variable "step" {
  type    = number
  default = 1
}

provider "aws" {}

resource "aws_iam_user" "u" {
  name = "sailor"
  path = var.step == 1 ? "/crew/" : "/officers/"
}
